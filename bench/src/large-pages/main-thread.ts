import type { Page } from 'playwright-core'

/** Runs an action in a page, and counts the processor time that the page's main thread took. Other load changes it less than the time that passes. */
export async function countMainThread<Result>(page: Page, act: () => Promise<Result>): Promise<{ result: Result; cpuMs: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const taskMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
  }
  const beforeMs = await taskMs()
  const result = await act()
  const cpuMs = (await taskMs()) - beforeMs
  await session.detach()
  return { result, cpuMs }
}
