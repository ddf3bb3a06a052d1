import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react(), tailwindcss()],
  // The service replaces this with a fresh nonce for each document. Styles that libraries add carry it.
  html: { cspNonce: '__NONCE__' },
  // One of its plugins asks for it in the old way, which would bring it a second time.
  resolve: { alias: [{ find: /^acorn$/, replacement: fileURLToPath(import.meta.resolve('acorn')) }] },
  build: {
    target: 'es2022',
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
            { name: 'router', test: /node_modules\/@tanstack\// },
            { name: 'icons', test: /node_modules\/lucide-react\// },
          ],
        },
      },
    },
  },
  // With `vite dev` next to a running service, pages reload on changes and use the service's data.
  server: { proxy: { '/app/api': 'http://localhost:3000' } },
})
