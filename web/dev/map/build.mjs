// Builds the page that shows the map alone: node dev/map/build.mjs DIR. Not part of the bundle.

import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url)),
  out = process.argv[2];
await mkdir(out, { recursive: true });
await build({
  entryPoints: [join(here, "map.tsx")],
  bundle: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  outfile: join(out, "map.js"),
  logLevel: "warning",
});
for (const name of ["index.html", "map.css"]) await copyFile(join(here, name), join(out, name));
