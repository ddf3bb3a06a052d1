import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    // The pages' policy allows no inline code; and with one script there is nothing to preload.
    modulePreload: false,
    assetsInlineLimit: 0,
  },
  // `vite dev` beside a running service: the pages reload as they are written, the data is the service's.
  server: { proxy: { '/app/api': 'http://localhost:3000' } },
})
