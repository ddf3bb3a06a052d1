/**
 * Reports the height of an embedded page whenever it changes. The content is measured, not the document: the document is never lower
 * than its frame, so a frame could grow but not shrink again. Nothing on the page depends on the height of the frame, so a new height
 * causes no further change.
 */
export function watchHeight(content: Element, report: (height: number) => void): () => void {
  let last = 0
  const observer = new ResizeObserver(() => {
    const height = Math.ceil(content.getBoundingClientRect().height)
    if (height === last || height === 0) return
    last = height
    report(height)
  })
  observer.observe(content)
  return () => observer.disconnect()
}
