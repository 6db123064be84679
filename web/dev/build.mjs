// Builds the developing page: `node dev/build.mjs DIR`; serve DIR with recorded moments (JSON: table, state, odds, forecast) in it.

import { execFileSync } from "node:child_process";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const page = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = process.argv[2];
if (out === undefined) throw new Error("node dev/build.mjs DIR");
await mkdir(join(out, "page"), { recursive: true });
execFileSync("node", [join(page, "build.mjs"), join(out, "page")], { stdio: "inherit" });
await build({
  entryPoints: [join(page, "dev", "dev.tsx")],
  bundle: true,
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  outfile: join(out, "page", "table.js"),
  target: "es2022",
  logLevel: "warning",
});
await copyFile(join(page, "src", "index.html"), join(out, "index.html"));
