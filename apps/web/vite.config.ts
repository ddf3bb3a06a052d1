import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { listPackages } from '../../scripts/bundled-licenses.mjs'

/** The highest level gains two percent and takes twice as long. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }

/** Writes a compressed copy beside every script and stylesheet, which is a tenth smaller than what gzip makes of it while sending. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  async writeBundle({ dir }, bundle) {
    const files = Object.values(bundle).filter(({ fileName }) => /\.(js|css)$/.test(fileName))
    await Promise.all(
      files.map(async (file) => {
        const content = file.type === 'chunk' ? file.code : file.source
        await writeFile(path.join(dir!, `${file.fileName}.br`), await promisify(brotliCompress)(content, brotli))
      }),
    )
  },
}

export default defineConfig({
  plugins: [react(), tailwindcss(), compressed, listPackages({ fileName: '.vite/packages.json' })],
  // The service replaces this with a fresh nonce for each document. Styles that libraries add carry it.
  html: { cspNonce: '__NONCE__' },
  // One of its plugins asks for it in the old way, which would bring it a second time.
  resolve: { alias: [{ find: /^acorn$/, replacement: fileURLToPath(import.meta.resolve('acorn')) }] },
  build: {
    target: 'es2022',
    // `page-sizes.test.ts` reads it.
    manifest: true,
    // The content security policy of the pages allows no inline code.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Viewers of public links and embedded pages get a document of their own, without the app's router and client.
      input: ['index.html', 'viewer.html'],
      output: {
        // Icons and libraries come in three files instead of dozens, because a browser loads only six at a time.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom)\// },
            { name: 'router', test: /node_modules\/@tanstack\/(react-)?(router|query|store|history)/ },
            { name: 'icons', test: /node_modules\/lucide-react\// },
          ],
        },
      },
    },
  },
  // With `vite dev` next to a running service, pages reload on changes and use the service's data.
  server: { proxy: { '/app/api': 'http://localhost:3000' } },
})
