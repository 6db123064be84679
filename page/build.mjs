// Builds the page: `npm run build` writes rulekit/table/page; `node build.mjs DIR` writes DIR. The same bytes on every machine: no source map, no hash.
import { build } from "esbuild";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "..", "rulekit", "table", "page");
const FONTS = { "eb-garamond": ["500-normal", "500-italic", "600-normal"], inter: ["400-normal", "500-normal", "600-normal", "700-normal"] };

await mkdir(out, { recursive: true });
const shared = { bundle: true, minify: true, legalComments: "none", charset: "utf8", target: "es2022", absWorkingDir: here, logLevel: "warning" };
await build({ ...shared, entryPoints: ["src/main.tsx"], format: "esm", jsx: "automatic", jsxImportSource: "preact", outfile: join(out, "table.js") });
await build({ ...shared, entryPoints: ["src/draw.tsx"], format: "iife", jsx: "automatic", jsxImportSource: "preact", loader: { ".css": "text" }, outfile: join(out, "draw.js") });
await build({ ...shared, entryPoints: ["src/table.css"], external: ["*.woff2"], outfile: join(out, "table.css") });
for (const page of ["index.html", "people.html"]) await copyFile(join(here, "src", page), join(out, page));
for (const [family, cuts] of Object.entries(FONTS)) {
  for (const cut of cuts) {
    const name = `${family}-latin-${cut}.woff2`;
    await copyFile(join(here, "node_modules", "@fontsource", family, "files", name), join(out, name));
  }
}
