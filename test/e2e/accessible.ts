import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  id: string
  impact: string
  help: string
  nodes: { target: string[]; failureSummary: string }[]
}

/**
 * Checks the current page for violations of WCAG 2.2 A and AA. The checker runs in an isolated world, so the page's content security
 * policy stays in force.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const isThere = await page.evaluate(() => 'axe' in globalThis)
  if (!isThere) await page.evaluate(axeSource)
  const findings = await page.evaluate(async () => {
    // Colors in the middle of a transition may be unreadable, and one transition may start others.
    for (let calmFrames = 0; calmFrames < 3; ) {
      const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
      calmFrames = transitions.length === 0 ? calmFrames + 1 : 0
      await Promise.allSettled(transitions.map(({ finished }) => finished))
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    const { axe } = globalThis as unknown as { axe: { run(root: Document, options: object): Promise<{ violations: Finding[] }> } }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    return (await axe.run(document, { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] })).violations
  })
  const problems = findings.map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ target }) => target.join(' ')).slice(0, 5) }))
  expect(problems, `accessibility of ${new URL(page.url()).pathname}`).toEqual([])
}

/** Checks that nothing is wider than the screen. Charts follow the size of the screen a moment later. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const overhang = () =>
    page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))
  await expect.poll(overhang, { message: `pixels of ${new URL(page.url()).pathname} beyond the screen` }).toBe(0)
}
