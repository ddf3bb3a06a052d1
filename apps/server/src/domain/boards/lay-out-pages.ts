/** Something on a long page that must not be cut. */
export interface Placed {
  y: number
  height: number
}

/**
 * Divides a long page into pages of this height. Everything from the first thing that would be cut on moves to the next page; what is
 * higher than a page gets one of its own and is scaled down by the caller. Returns for each page where it begins on the long page.
 */
export function layOutPages<Thing extends Placed>(things: readonly Thing[], pageHeight: number): { top: number; things: Thing[] }[] {
  const pages: { top: number; things: Thing[] }[] = []
  let rest = things.toSorted((a, b) => a.y - b.y)
  while (rest.length > 0) {
    const top = rest[0]!.y
    const cut = rest.find(({ y, height }) => y > top && y + height - top > pageHeight)
    const onPage = cut === undefined ? rest : rest.filter(({ y }) => y < cut.y)
    pages.push({ top, things: onPage })
    rest = rest.slice(onPage.length)
  }
  return pages
}
