export interface Scrolling {
  /** What scrolls: the element, or the nearest one around it that can. */
  selector: string
  /** How far in each frame. */
  by: { x?: number; y?: number }
  ms: number
}

export interface Frames {
  perSecond: number
  longestMs: number
}

/** Scrolls in every frame, as somebody with a wheel would, and watches the frames. Runs in the page. */
export async function watchFrames({ selector, by, ms }: Scrolling): Promise<Frames> {
  let box = document.querySelector(selector)
  while (box?.parentElement && box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth) box = box.parentElement
  if (!box) throw new Error(`There is no ${selector}.`)
  const startedMs = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
  let lastMs = startedMs
  let count = 0
  let longestMs = 0
  while (lastMs - startedMs < ms) {
    box.scrollBy({ left: by.x ?? 0, top: by.y ?? 0, behavior: 'instant' })
    const nowMs = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
    longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
    count += 1
  }
  return { perSecond: (count * 1000) / (lastMs - startedMs), longestMs }
}
