import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { sharedBrowser, visit, type Visitor } from './browser.ts'
import { journey } from './journey.ts'
import { newOrganization, type Organization } from './organization.ts'
import { joinAsMember, signIn } from './steps.ts'

/** An admin decides who sees what, and checks it by viewing as a member. */
let service: Organization
let browser: Browser
let admin: Visitor
let page: Page

beforeAll(async () => {
  browser = await sharedBrowser()
  service = await newOrganization('access')
  admin = await visit(browser, { baseURL: service.baseUrl })
  page = admin.page
  admin.expectErrors(/status of 400/)
  await signIn(page, service)
  const joining = await visit(browser, { baseURL: service.baseUrl })
  await joinAsMember(joining.page, page, { name: 'Grace' })
  await joining.leave()
})
afterAll(() => admin?.leave())

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

test('groups, levels, attributes and row rules can be set, and are shown', async () => {
  await page.goto('/settings/access')
  await button('New group').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Finance')
  await page.getByRole('checkbox', { name: /^Grace/ }).check()
  await button('Create group').click()
  await button('Edit Finance').waitFor()

  await button('Edit attributes of Grace').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('region')
  await page.getByRole('textbox', { name: 'Value' }).fill('north')
  await expectAccessible(page)
  await button('Save attributes').click()
  await page.getByText('region = north').waitFor()

  await button(/^Edit row rules of /).first().click()
  await page.getByRole('textbox', { name: 'Attribute' }).fill('region')
  await page.getByRole('textbox', { name: 'Parameter name' }).fill('not a name')
  await button('Save row rules').click()
  await page.getByText(/must be the name of a parameter/i).waitFor()
  await page.getByRole('textbox', { name: 'Parameter name' }).fill('region')
  await expectAccessible(page)
  await button('Save row rules').click()
  await page.getByText('parameter region = region').waitFor()

  const everyone = page.getByRole('combobox', { name: /^Everyone: / }).first()
  await everyone.selectOption('No access')
  // The table is read again once the choice is stored.
  await expect.poll(() => everyone.inputValue()).toBe('none')
  await expect.poll(() => everyone.isEnabled()).toBe(true)
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 800 })
})

journey('a key can belong to a group, and leave it', async () => {
  await page.goto('/account')
  await page.getByText('Permissions, groups, expiry and networks').click()
  await page.getByRole('radio', { name: /^What some groups may see/ }).check()
  await page.getByRole('checkbox', { name: 'Finance' }).check()
  await page.getByLabel('Key name').fill('Dashboard')
  await expectAccessible(page)
  await button('Create key').click()
  const item = page.getByRole('list', { name: 'API keys' }).getByRole('listitem').filter({ hasText: 'Dashboard' })
  await item.getByText(/sees what Finance may see/).waitFor()
  await button('Edit Dashboard').click()
  const dialog = page.getByRole('dialog', { name: 'Edit Dashboard' })
  await dialog.getByRole('radio', { name: 'What its member may see' }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save key' }).click()
  await dialog.waitFor({ state: 'detached' })
  await item.getByText(/sees what/).waitFor({ state: 'detached' })
})

journey('an admin views as a member, and leaves', async () => {
  await page.goto('/settings/access')
  await button('View as Grace').click()
  const notice = page.getByRole('region', { name: 'Viewing as' })
  await notice.getByText('You’re viewing as Grace. You can’t change anything.').waitFor()
  await expectAccessible(page)
  await page.goto('/settings/access')
  await page.getByText('Only admins can see and change access.').waitFor()
  await notice.getByRole('button', { name: 'Stop viewing' }).click()
  await button('View as Grace').waitFor()
  await notice.waitFor({ state: 'detached' })
})
