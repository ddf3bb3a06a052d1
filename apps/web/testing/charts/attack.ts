/** What became of texts that are no charts, when they were put straight before whoever draws. */
export interface AttackOutcome {
  /** Those that were drawn, or not refused in the words of the check. */
  drawn: string[]
  /** Names that something reached for: nothing may. */
  sprung: string[]
  isPolluted: boolean
  activeElements: number
}

const traps = ['alert', 'x', 'pwned', 'eval']

export async function attack(texts: string[], view: (jsxConfig: string) => number): Promise<AttackOutcome> {
  const sprung: string[] = []
  for (const name of traps) {
    Object.defineProperty(globalThis, name, { configurable: true, get: () => void sprung.push(name) })
  }
  const before = Object.getOwnPropertyNames(Object.prototype).length
  const drawn: string[] = []
  for (const text of texts) {
    const place = `[data-shown="${view(text)}"]`
    while (!document.querySelector(`${place} [role="alert"], ${place} svg.recharts-surface`)) {
      await new Promise(requestAnimationFrame)
    }
    const refusal = document.querySelector(`${place} [role="alert"]`)?.textContent ?? ''
    if (!refusal.includes("The chart's jsxConfig")) drawn.push(text.slice(0, 80))
  }
  return {
    drawn,
    sprung,
    isPolluted: Object.getOwnPropertyNames(Object.prototype).length !== before,
    activeElements: document.querySelectorAll('#root :is(script, iframe, a, foreignObject, image, use)').length,
  }
}
