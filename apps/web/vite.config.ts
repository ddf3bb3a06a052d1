import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react(), tailwindcss()],
  // The service puts a fresh value in its place each time it sends the shell; styles that a library adds carry it.
  html: { cspNonce: '__NONCE__' },
  // One of its plugins asks for it in the old way, which would bring it a second time.
  resolve: { alias: [{ find: /^acorn$/, replacement: fileURLToPath(import.meta.resolve('acorn')) }] },
  build: {
    target: 'es2022',
    // The pages' policy allows no inline code.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  // `vite dev` beside a running service: the pages reload as they are written, the data is the service's.
  server: { proxy: { '/app/api': 'http://localhost:3000' } },
})
