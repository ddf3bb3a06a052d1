import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { newOrganization, type Organization } from './organization.ts'
import { openAs } from './steps.ts'

/** Items that files in Git manage, and the repositories that push them. */
let service: Organization
let browser: Browser
let visitor: Visitor
let page: Page
let ids: Record<string, string>

const url = 'https://git.example/blob/main'
const isNew = { id: null, expectedHash: null }

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await newOrganization('managed')
  ids = await pushManaged()
})
beforeEach(async () => {
  visitor = await visit(browser, { baseURL: service.baseUrl })
  page = visitor.page
})
afterEach(() => visitor.leave())

async function pushManaged(): Promise<Record<string, string>> {
  const content = { title: 'Pushed', database: 'Sample shop', sql: 'select 1 as n' }
  const body = {
    folders: [{ path: 'finance', ...isNew, content: { name: 'Finance' } }],
    queries: [{ path: 'finance/pushed.sql', ...isNew, content: { ...content, folder: 'path:finance' } }],
    boards: [{ path: 'month.board.yaml', ...isNew, content: { title: 'Month' } }],
    automations: [{ path: 'weekly.automation.yaml', ...isNew, content: { name: 'Weekly', instructions: 'Tell.', queries: ['path:finance/pushed.sql'], enabled: false } }],
    metrics: [{ path: 'orders.metric.yaml', ...isNew, content: { name: 'Pushed orders', query: 'path:finance/pushed.sql' } }],
    managed: [
      { kind: 'folder', path: 'finance', id: null, url: `${url}/finance/folder.yaml` },
      { kind: 'query', path: 'finance/pushed.sql', id: null, url: `${url}/finance/pushed.sql` },
      { kind: 'board', path: 'month.board.yaml', id: null, url: `${url}/month.board.yaml` },
      { kind: 'automation', path: 'weekly.automation.yaml', id: null, url: `${url}/weekly.automation.yaml` },
      { kind: 'metric', path: 'orders.metric.yaml', id: null, url: `${url}/orders.metric.yaml` },
    ],
  }
  const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' }
  const answer = await fetch(`${service.baseUrl}/api/project/apply`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(await answer.text())
  const { items } = (await answer.json()) as { items: { kind: string; id: string }[] }
  return Object.fromEntries(items.map(({ kind, id }) => [kind, id]))
}

const badge = () => page.getByRole('link', { name: 'Managed in Git' })
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('pages of managed items link to the file and offer no way to edit', async () => {
  await openAs(page, service, `/q/${ids['query']}`)
  await badge().waitFor()
  expect(await badge().getAttribute('href')).toBe(`${url}/finance/pushed.sql`)
  expect(await page.getByRole('link', { name: 'Edit SQL' }).count()).toBe(0)
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Duplicate query' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Delete query' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await expectAccessible(page)

  await page.goto(`/b/${ids['board']}`)
  await badge().waitFor()
  expect(await button('Edit').count()).toBe(0)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 900 })

  await page.goto(`/automations/${ids['automation']}`)
  await badge().waitFor()
  await button('Run now').waitFor()
  expect(await button('Edit').count()).toBe(0)

  await page.goto('/knowledge/metrics')
  const metric = page.getByRole('listitem').filter({ hasText: 'Pushed orders' })
  await metric.getByRole('link', { name: 'Managed in Git' }).waitFor()
  expect(await metric.getByRole('button', { name: 'Edit Pushed orders' }).count()).toBe(0)

  await page.goto('/queries')
  const folder = page.getByRole('link', { name: 'The folder Finance is managed in Git' })
  await folder.waitFor()
  expect(await folder.getAttribute('href')).toBe(`${url}/finance/folder.yaml`)
})

test('an admin adds a repository, rotates its secret and removes it', async () => {
  await openAs(page, service, '/settings/organization')
  await page.getByLabel('Repository', { exact: true }).fill('analytics')
  await page.getByLabel('Address of its files').fill(`${url}/`)
  await button('Add repository').click()
  const secret = page.getByText(/^whsec_/)
  await secret.waitFor()
  const first = await secret.textContent()
  await page.getByText(/\/git\/repo_\w+\/push$/).waitFor()
  const list = page.getByRole('list', { name: 'Git repositories' })
  await list.getByText('Never pushed').waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScrolling(page)
  await list.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click()
  await list.getByText('Old secret valid until').waitFor()
  await expect.poll(() => secret.textContent()).not.toBe(first)
  await list.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove repository' }).click()
  await list.getByRole('listitem').waitFor({ state: 'detached' })
})
