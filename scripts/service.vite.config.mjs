import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { listPackages } from './bundled-licenses.mjs'
import { unbundledPackages } from './service-bundle.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))

export default defineConfig({
  root,
  plugins: [keepModuleUrls(), loadHttpAlone(), leaveOutYaml(), listPackages({ fileName: 'packages.json' }), writeManifest()],
  publicDir: false,
  // `acorn-jsx` would load the other build of the same parser.
  resolve: { alias: [{ find: /^acorn$/, replacement: path.join(root, 'node_modules/acorn/dist/acorn.mjs') }] },
  ssr: { noExternal: true, external: unbundledPackages },
  build: {
    ssr: 'apps/cli/src/main.ts',
    // The oldest Node that the published package runs on.
    target: 'node22',
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

/**
 * Lets bundled modules find the files next to their source, such as migrations and the sample. The programs of child processes and threads
 * are bundled too, each as a file next to the others.
 */
function keepModuleUrls() {
  let outputFolder
  const programs = new Set()
  return {
    name: 'keep-module-urls',
    enforce: 'pre',
    configResolved({ build }) {
      outputFolder = path.resolve(root, build.outDir)
    },
    transform(code, id) {
      if (id.includes('/node_modules/') || !code.includes('import.meta.url')) return undefined
      const source = path.relative(outputFolder, id).replaceAll(path.sep, '/')
      const rewritten = code.replaceAll(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)|import\.meta\.url/g, (_whole, program) => {
        if (program === undefined) return `new URL(${JSON.stringify(source)}, import.meta.url).href`
        const fileName = `${program}.js`
        if (!programs.has(fileName)) this.emitFile({ type: 'chunk', id: path.join(path.dirname(id), `${program}.ts`), fileName })
        programs.add(fileName)
        return `new URL('./${fileName}', import.meta.url)`
      })
      return { code: rewritten, map: null }
    },
  }
}

/**
 * An import of `node:http` reads all its exports. One of them is `WebSocket`, for which Node loads its HTTP client: 12 MB of memory and 40 ms.
 * Our client is another one.
 */
function loadHttpAlone() {
  return {
    name: 'load-http-alone',
    renderChunk(code) {
      const rewritten = code.replaceAll(/^import (\w[\w$]*|\{[^}]*\}) from "(?:node:)?http";$/gm, (_whole, names) => {
        return `var ${names.replaceAll(' as ', ': ')} = process.getBuiltinModule("node:http");`
      })
      return rewritten === code ? null : { code: rewritten, map: null }
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
