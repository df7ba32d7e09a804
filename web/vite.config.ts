import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  // Relative: the server says where the page lives (src/lib/base.ts).
  base: "./",
  build: {
    outDir: "../src/cupboard/server/page",
    emptyOutDir: true,
    target: "es2022",
    // The page's content security policy allows no data: or inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  // `npm run dev` beside a running `cupboard --no-browser`; the catalogues are outside this folder.
  server: { fs: { allow: [".."] }, proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
  // Tests of components mount them as a browser does.
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  test: { include: ["src/**/*.test.ts"] },
});
