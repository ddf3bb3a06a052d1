import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Not bundled: packages with files of their own, and large ones that few services load. */
const external = [
  '@aws-sdk/client-s3',
  '@duckdb/node-api',
  '@duckdb/node-bindings',
  '@electric-sql/pglite',
  '@resvg/resvg-js',
  'dejavu-fonts-ttf',
  'mysql2',
]

export default defineConfig({
  root,
  plugins: [keepModuleUrls(), writeManifest()],
  publicDir: false,
  ssr: { noExternal: true, external },
  build: {
    ssr: 'apps/cli/src/main.ts',
    target: 'node24',
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: {
      output: {
        entryFileNames: 'main.js',
        chunkFileNames: '[name]-[hash].js',
        // The sources are next to the bundle. Maps without them load faster.
        sourcemapExcludeSources: true,
      },
    },
  },
})

/** Lets bundled modules find the files next to their source: migrations, the sample, programs of child processes. */
function keepModuleUrls() {
  let outputFolder
  return {
    name: 'keep-module-urls',
    enforce: 'pre',
    configResolved({ build }) {
      outputFolder = path.resolve(root, build.outDir)
    },
    transform(code, id) {
      if (id.includes('/node_modules/') || !code.includes('import.meta.url')) return undefined
      const source = path.relative(outputFolder, id).replaceAll(path.sep, '/')
      return { code: code.replaceAll('import.meta.url', `new URL(${JSON.stringify(source)}, import.meta.url).href`), map: null }
    },
  }
}

/** Without it, Node parses each file twice to find out that it is a module. */
function writeManifest() {
  return {
    name: 'write-manifest',
    writeBundle({ dir }) {
      writeFileSync(path.join(dir, 'package.json'), '{ "type": "module" }\n')
    },
  }
}
