// The type of an imported style sheet: its text.
declare module "*.css" {
  const text: string;
  export default text;
}
