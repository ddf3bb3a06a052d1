import type { Page } from 'playwright-core'

/** A page of the service with the sample shop, in the state in which people mostly see it. */
export interface Screen {
  name: string
  isSignedOut?: boolean
  open(page: Page): Promise<unknown>
}

const runIfNeeded = async (page: Page) => {
  const button = page.getByRole('button', { name: /^(Run query|Refresh)$/ }).first()
  await button.waitFor()
  if ((await button.textContent())?.includes('Run')) await button.click()
}

async function openLinked(page: Page, path: string, name: RegExp): Promise<void> {
  await page.goto(path)
  await page.getByRole('link', { name }).first().click()
}

async function openReference(page: Page, title: string): Promise<void> {
  await openLinked(page, '/queries', new RegExp(title))
  await page.getByRole('heading', { name: title }).waitFor()
  await runIfNeeded(page)
}

export async function openChartOf(page: Page, title: string): Promise<void> {
  await openReference(page, title)
  await page.locator('[data-chart]').first().waitFor()
  // An old result is shown while the query runs again.
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' })
}

export async function openSampleBoard(page: Page): Promise<void> {
  await openLinked(page, '/boards', /Shop overview/)
  await page.getByRole('heading', { name: 'Shop overview', level: 1 }).waitFor()
  await page.getByText('Weekly orders').waitFor()
  await page.waitForLoadState('networkidle')
}

export async function openHome(page: Page): Promise<void> {
  await page.goto('/')
  await page.locator('[data-chart]').or(page.getByRole('img')).first().waitFor()
  await page.waitForLoadState('networkidle')
}

export async function openQueries(page: Page): Promise<void> {
  await page.goto('/queries')
  await page.getByRole('link', { name: /Revenue by week/ }).first().waitFor()
}

export async function openEditor(page: Page): Promise<void> {
  const sql = `select country, count(*) as orders, sum(amount) as revenue\nfrom orders join customers using (customer_id)\ngroup by country\norder by orders desc`
  await page.goto(`/queries/new?${new URLSearchParams({ sql })}`)
  await page.getByRole('button', { name: 'Run query' }).click()
  await page.getByRole('grid').waitFor()
}

export async function openReport(page: Page): Promise<void> {
  await openLinked(page, '/chats', /Monday shop report/)
  await page.locator('[data-kind=summary]').waitFor()
}

export async function openDatabase(page: Page): Promise<void> {
  await openLinked(page, '/databases', /^Sample shop/)
  await page.getByText('orders', { exact: true }).first().click()
  await page.getByRole('table').or(page.getByRole('grid')).first().waitFor()
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

/** The screens that people see most. `answer` is the path of a chat with an answer of a model, `endpoint` that of a webhook endpoint. */
export const mostVisibleScreens = ({ answer, endpoint }: { answer: string; endpoint: string }): Screen[] => [
  {
    name: 'sign-in',
    isSignedOut: true,
    open: async (page) => {
      await page.goto('/')
      await page.getByLabel('Password').waitFor()
    },
  },
  { name: 'home', open: openHome },
  {
    name: 'ask',
    open: async (page) => {
      await page.goto('/ask')
      await page.getByRole('textbox', { name: 'Ask about your data' }).waitFor()
    },
  },
  {
    name: 'chats',
    open: async (page) => {
      await page.goto('/chats')
      await page.getByRole('link', { name: /Monday shop report/ }).first().waitFor()
    },
  },
  { name: 'report', open: openReport },
  {
    name: 'answer',
    open: async (page) => {
      await page.goto(answer)
      await page.locator('[data-figure=proven]').first().waitFor()
    },
  },
  {
    name: 'boards',
    open: async (page) => {
      await page.goto('/boards')
      await page.getByRole('link', { name: /Shop overview/ }).first().waitFor()
    },
  },
  { name: 'board', open: openSampleBoard },
  { name: 'queries', open: openQueries },
  { name: 'chart', open: (page) => openChartOf(page, 'Revenue by week') },
  {
    name: 'table',
    open: async (page) => {
      await openReference(page, 'Biggest orders')
      await page.getByRole('grid').first().waitFor()
    },
  },
  { name: 'editor', open: openEditor },
  {
    name: 'automations',
    open: async (page) => {
      await page.goto('/automations')
      await page.getByRole('link', { name: /Monday shop report/ }).first().waitFor()
    },
  },
  {
    name: 'automation',
    open: async (page) => {
      await openLinked(page, '/automations', /Monday shop report/)
      await heading(page, 'Monday shop report').waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
  {
    name: 'new-automation',
    open: async (page) => {
      await page.goto('/automations/new')
      await heading(page, /automation/i).waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
  { name: 'database', open: openDatabase },
  {
    name: 'knowledge',
    open: async (page) => {
      await page.goto('/knowledge/metrics')
      await page.getByText('Net revenue').first().waitFor()
    },
  },
  {
    name: 'webhooks',
    open: async (page) => {
      await page.goto(endpoint)
      await page.getByRole('list', { name: 'Deliveries' }).getByText('Delivered').first().waitFor()
    },
  },
  {
    name: 'members',
    open: async (page) => {
      await page.goto('/settings/members')
      await page.getByRole('button', { name: 'Invite member' }).waitFor()
    },
  },
  {
    name: 'api-reference',
    open: async (page) => {
      await page.goto('/docs/api/queries')
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  },
]
