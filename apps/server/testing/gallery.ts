export { readGallery } from './charts/read-gallery.ts'
export {
  completeVisualization,
  contentSize,
  type Drawable,
  drawPicture,
  drawPlot,
  drawSvg,
  isPlain,
  textsOf,
} from './charts/draw-plot.ts'
