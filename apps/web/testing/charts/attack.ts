/** The outcome of passing hostile JSX directly to the chart view. */
export interface AttackOutcome {
  /** The texts that were drawn, or rejected by something other than the parser. */
  drawn: string[]
  /** The globals that were accessed; there must be none. */
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
    while (!document.querySelector(`${place} [role="alert"], ${place} [data-chart]`)) {
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
