// Builds the browser client: `npm run build` writes rulekit/server/static; `node build.mjs DIR` writes DIR. The same bytes on every machine: no source map, no hash.

import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "..", "rulekit", "server", "static");
const FONTS = {
  "eb-garamond": ["500-normal", "500-italic", "600-normal"],
  inter: ["400-normal", "500-normal", "600-normal", "700-normal"],
};

await mkdir(out, { recursive: true });
const shared = {
  bundle: true,
  minify: true,
  legalComments: "none",
  charset: "utf8",
  metafile: true,
  target: "es2022",
  absWorkingDir: here,
  logLevel: "warning",
};
const made = [];
made.push(
  await build({
    ...shared,
    entryPoints: ["src/main.tsx"],
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    outfile: join(out, "table.js"),
  }),
);
made.push(
  await build({
    ...shared,
    entryPoints: ["src/staticMap.tsx"],
    format: "iife",
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".css": "text" },
    outfile: join(out, "draw.js"),
  }),
);
made.push(
  await build({
    ...shared,
    entryPoints: ["src/table.css"],
    external: ["*.woff2"],
    outfile: join(out, "table.css"),
  }),
);
for (const page of ["index.html", "online.html"])
  await copyFile(join(here, "src", page), join(out, page));
for (const [family, cuts] of Object.entries(FONTS)) {
  for (const cut of cuts) {
    const name = `${family}-latin-${cut}.woff2`;
    await copyFile(
      join(here, "node_modules", "@fontsource", family, "files", name),
      join(out, name),
    );
  }
}

// Whose work rides along: the packages of which anything is in the bundles, and the fonts, each with its licence.
const packages = new Set(Object.keys(FONTS).map((family) => `@fontsource/${family}`));
for (const { metafile } of made) {
  for (const input of Object.keys(metafile.inputs)) {
    const found = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) packages.add(found[1]);
  }
}
const licences = [];
for (const name of [...packages].sort()) {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const text = (await readFile(join(folder, "LICENSE"), "utf8")).replaceAll("\r\n", "\n").trim();
  licences.push(`${name} ${version} (${license})\n\n${text}\n`);
}
const head =
  "The page of rulekit's table holds work of others: the packages and fonts below, each under its own licence.\n";
await writeFile(join(out, "licences.txt"), [head, ...licences].join(`\n${"=".repeat(100)}\n\n`));
