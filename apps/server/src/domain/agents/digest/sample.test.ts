import { copyFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleShopDays, sampleShopFile } from '../../../../testing/sample-shop.ts'
import { sampleQueriesOf } from '../../../sample/sample-queries.ts'
import { seedSample } from '../../../sample/seed.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import type { ParameterValues } from '../../../model/parameter.ts'
import { firstRowsOf, runReferenceToEnd } from '../query-runs.ts'
import { type Digested, summarize } from './summary.ts'
import { type Look, look } from '../../../../testing/agents/analyze-result.ts'
import { findWrongFigures } from '../../../../testing/agents/check-figures.ts'

/** The golden files have the figures of this shop. */
const { firstStartOn } = sampleShopDays
const sampleQueries = sampleQueriesOf(firstStartOn)

let service: TestService
let organization: TestOrganization
let shortIds: string[]

beforeAll(async () => {
  service = await startTestService('postgres')
  organization = await service.addOrganization('shop')
  const makeShop = async (file: string) => copyFile(await sampleShopFile(), file)
  shortIds = (await seedSample(service.services, organization.admin.caller, { firstStartOn, makeShop })).shortIds
})
afterAll(() => service.stop())

async function resultOf(shortId: string, parameterValues: ParameterValues) {
  const { services, clock } = service
  const run = await runReferenceToEnd(services, organization.admin.caller, {
    shortId,
    parameterValues,
    notBefore: clock.now(),
    signal: new AbortController().signal,
  })
  expect(run.failureReason).toBeNull()
  return firstRowsOf(services, run, { maxRows: 100_000 })
}

/** The shop's figures at an earlier date, and now. */
const periods: Record<string, { earlier: string; now: string }> = {
  'Revenue by week': { earlier: '2024-01-01..2025-12-21', now: '2024-01-01..2025-12-28' },
  'Top products': { earlier: '2025-06-24..2025-12-24', now: '2025-07-01..2025-12-31' },
  'Revenue by channel in a country': { earlier: '2025-01-01..2025-12-24', now: '2025-01-01..2025-12-31' },
  'New and returning customers': { earlier: '2024-01-01..2025-11-30', now: '2024-01-01..2025-12-31' },
  'Refund rate of a warehouse': { earlier: '2025-09-01..2025-09-07', now: '2025-09-08..2025-09-14' },
  'Biggest orders': { earlier: '2025-01-01..2025-12-24', now: '2025-01-01..2025-12-31' },
}

/** Digits outside figures, other than those that name periods and orders. */
function otherDigits({ summary, figures }: Look): string[] {
  const rest = figures.toReversed().reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), summary)
  const unnamed = rest.replaceAll(/\]\([^)]*\)|\b\d{4}-\d\d-\d\d\b|\b(November|December) 2025\b|\border \d+/g, '')
  return unnamed.match(/\d+/g) ?? []
}

/** The digest of each reference, as a manager would read it. */
const digested: Digested[] = []

test.each(sampleQueries.map(({ title }, at) => ({ title, at })))('$title', async ({ title, at }) => {
  const { earlier, now: current } = periods[title]!
  const past = await resultOf(shortIds[at]!, { period: earlier })
  const before = await look({ ...past, title, runId: 'run_before' })
  const now = await resultOf(shortIds[at]!, { period: current })
  const after = await look({ ...now, title, previous: before.observation })
  const again = await look({ ...now, title, previous: after.observation })
  for (const one of [before, after, again]) {
    expect(findWrongFigures(one, { run_before: past, run_now: now })).toEqual([])
    expect(otherDigits(one)).toEqual([])
  }
  digested.push({ title, runId: `run_${at + 1}`, runUrl: `https://querypost.test/runs/run_${at + 1}`, findings: after.findings })
  const text = [
    `## The first run\n\n${before.summary}`,
    `## A later one, with other figures\n\n${after.summary}`,
    `## And one with the same figures\n\n${again.summary}\n`,
  ]
  await expect(text.join('\n\n')).toMatchFileSnapshot(`golden/${title.toLowerCase().replaceAll(' ', '-')}.md`)
})

test('all references in one summary', async () => {
  expect(digested).toHaveLength(6)
  await expect(`${summarize(digested).text}\n`).toMatchFileSnapshot('golden/all.md')
})
