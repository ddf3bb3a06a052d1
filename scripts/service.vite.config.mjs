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
  plugins: [keepModuleUrls(), leaveOutYaml(), writeManifest()],
  publicDir: false,
  // `acorn-jsx` would load the other build of the same parser.
  resolve: { alias: [{ find: /^acorn$/, replacement: path.join(root, 'node_modules/acorn/dist/acorn.mjs') }] },
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
        // Node keeps the text of every loaded file in memory: a single character beyond ASCII doubles its size. Line breaks and names
        // stay, so that stack traces can be read.
        comments: false,
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
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

/** The API description is served as JSON only. */
function leaveOutYaml() {
  const id = '\0no-yaml'
  return {
    name: 'leave-out-yaml',
    enforce: 'pre',
    resolveId: (source, importer) => (source === 'yaml' && importer?.includes('/@fastify/swagger/') ? id : undefined),
    load: (loaded) => (loaded === id ? 'export const stringify = undefined' : undefined),
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
