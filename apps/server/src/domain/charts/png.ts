import { fileURLToPath } from 'node:url'
import { renderAsync } from '@resvg/resvg-js'

const font = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))

/** Gives the same image on every machine: no system fonts, nothing fetched. Runs off the event loop. */
export async function renderPng(svg: string): Promise<Buffer> {
  const image = await renderAsync(svg, {
    font: {
      loadSystemFonts: false,
      fontFiles: [font('DejaVuSans'), font('DejaVuSans-Bold')],
      defaultFontFamily: 'DejaVu Sans',
      sansSerifFamily: 'DejaVu Sans',
    },
    logLevel: 'off',
  })
  return image.asPng()
}
