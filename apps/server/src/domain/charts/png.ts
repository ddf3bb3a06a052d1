import { fileURLToPath } from 'node:url'
import { encodeOpaquePng } from './encode-png.ts'

export const fontFile = (name: 'DejaVuSans' | 'DejaVuSans-Bold') => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))

/** Gives the same image on every machine: no system fonts, nothing fetched. Runs off the event loop. */
export async function renderPng(svg: string): Promise<Buffer> {
  return (await render(svg)).asPng()
}

/**
 * Without transparency, which PDF stores apart: an image that has it would be unpacked and taken apart on the event loop. `scale`
 * multiplies the size of the drawing.
 */
export async function renderOpaquePng(svg: string, scale: number): Promise<Buffer> {
  const { width, height, pixels } = await render(svg, scale)
  return encodeOpaquePng({ width, height, pixels })
}

async function render(svg: string, scale = 1) {
  // Loading the library takes longer than the rest of a request, and few processes draw images.
  const { renderAsync } = await import('@resvg/resvg-js')
  return renderAsync(svg, {
    ...(scale !== 1 && { fitTo: { mode: 'zoom' as const, value: scale } }),
    font: {
      loadSystemFonts: false,
      fontFiles: [fontFile('DejaVuSans'), fontFile('DejaVuSans-Bold')],
      defaultFontFamily: 'DejaVu Sans',
      sansSerifFamily: 'DejaVu Sans',
    },
    logLevel: 'off',
  })
}
