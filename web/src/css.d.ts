// The text of a style sheet, where a build takes it so.
declare module "*.css" {
  const text: string;
  export default text;
}
