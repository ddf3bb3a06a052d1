import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { appWith } from '@querypost/server/testing'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { openBrowser, visit, type Visitor } from './browser.ts'
import { newOrganization, type Organization } from './organization.ts'
import { openAs } from './steps.ts'

/** The second factor in the pages. The tests run in order and build on each other. */
let service: Organization
let browser: Browser
let visitors: Visitor[] = []
let recoveryCodes: string[]
let app: ReturnType<typeof appWith>

const clock = { now: () => new Date() }
const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const

beforeAll(async () => {
  browser = await openBrowser()
  service = await newOrganization('second-factor')
})
afterAll(() => browser?.close())
afterEach(async () => {
  const leaving = visitors
  visitors = []
  for (const visitor of leaving) await visitor.leave()
})

async function newVisitor(options: Partial<Parameters<typeof visit>[1]> = {}): Promise<Page> {
  const visitor = await visit(browser, { ...options, baseURL: service.baseUrl })
  visitors.push(visitor)
  return visitor.page
}

async function enterPassword(page: Page, path: string, account: { email: string; password: string } = service) {
  await page.goto(path)
  await page.getByLabel('E-mail').fill(account.email)
  await page.getByLabel('Password').fill(account.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Sets the factor up in a form with its key, and returns the recovery codes. */
async function setUp(page: Page): Promise<string[]> {
  await page.getByRole('img', { name: 'QR code of the key' }).waitFor()
  await page.getByRole('button', { name: 'Can’t scan it?' }).click()
  app = appWith((await page.getByRole('group', { name: 'Key' }).textContent())!, clock)
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill('000 00')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('alert').getByText('enter the code that the app shows now').waitFor()
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(app.code())
  await page.getByRole('button', { name: 'Turn on' }).click()
  const shown = page.getByRole('group', { name: 'Recovery codes' })
  await shown.waitFor()
  await expectAccessible(page)
  return (await shown.textContent())!.split('\n')
}

test('is set up in the account with the password, a QR code and a first code', async () => {
  const page = await newVisitor()
  await openAs(page, service, '/account')
  const card = page.getByRole('region', { name: 'Second factor' })
  await card.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill('not the password')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('alert').getByText('Is not your password').waitFor()
  await dialog.getByLabel('Your password').fill(service.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  recoveryCodes = await setUp(page)
  expect(recoveryCodes).toHaveLength(10)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await card.getByText('10 of 10 recovery codes left').waitFor()
  await expectAccessible(page)
})

test('is entered after the password, on a phone, and leads to the requested page', async () => {
  const page = await newVisitor(phone)
  await enterPassword(page, '/account')
  await page.getByRole('heading', { level: 1, name: 'Enter your code' }).waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill('123')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').getByText('Is wrong or was already used').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCodes[0]!)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('9 of 10 recovery codes left').waitFor()
  expect(new URL(page.url()).pathname).toBe('/account')
  await expectNoSidewaysScrolling(page)
})

test('is required by an admin: new members set it up before anything else, and an admin can reset it', async () => {
  const page = await newVisitor()
  await enterPassword(page, '/settings/organization')
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(app.code(1))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('switch', { name: 'Require a second factor' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Require second factor' }).click()
  await expect.poll(() => page.getByRole('switch', { name: 'Require a second factor' }).getAttribute('aria-checked')).toBe('true')

  const joining = await newVisitor(phone)
  const data = { email: 'guest@second-factor.test', role: 'member' }
  const { url } = (await (await page.request.post('/app/api/invitations', { data })).json()) as { url: string }
  await joining.goto(url)
  await joining.getByLabel('Your name').fill('Guest')
  await joining.getByLabel('Password').fill('correct horse battery')
  await joining.getByRole('button', { name: /^Join/ }).click()
  await joining.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor()
  await expectAccessible(joining)
  await joining.getByRole('button', { name: 'Continue' }).click()
  await setUp(joining)
  await joining.getByRole('button', { name: 'I’ve saved them' }).click()
  await joining.getByRole('button', { name: 'Menu' }).waitFor()

  await page.goto('/settings/members')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Reset the second factor of Guest' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset second factor' }).click()
  await page.getByText('Reset the second factor of Guest.').first().waitFor()
  await joining.goto('/account')
  await joining.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
})

test('is turned off with the password and a code', async () => {
  const page = await newVisitor()
  await enterPassword(page, '/settings/organization')
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCodes[1]!)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('switch', { name: 'Require a second factor' }).click()
  await expect.poll(() => page.getByRole('switch', { name: 'Require a second factor' }).getAttribute('aria-checked')).toBe('false')
  await page.goto('/account')
  await page.getByRole('button', { name: 'Turn off' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(service.password)
  await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill(recoveryCodes[2]!)
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Second factor turned off.').first().waitFor()
  await page.getByRole('region', { name: 'Second factor' }).getByRole('button', { name: 'Set up' }).waitFor()
})
