import { rm } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { type MailServer, type OidcServer, startMailServer, startOidcServer } from '@querypost/server/testing'
import { buildPages } from '../../scripts/build-pages.mjs'
import { unpackStore } from '../first-start.ts'
import { newDataDirectory, type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { openBrowser, visit, type Visitor } from './browser.ts'
import { journey } from './journey.ts'

/**
 * Starts a service without any preparation: its first start prints a link, and the pages do the rest. A mail server and an OIDC
 * provider run on loopback. The tests run in order and build on each other.
 */
let service: ServiceProcess
let dataDirectory: string
let mail: MailServer
let oidc: OidcServer
let browser: Browser
let baseURL: string
let visitors: Visitor[] = []

const ada = { name: 'Ada', email: 'ada@acme.test', password: 'a password for ada' }
const bob = { name: 'Bob', email: 'bob@elsewhere.test', password: 'a password for bob' }

beforeAll(async () => {
  browser = await openBrowser()
  mail = await startMailServer()
  oidc = await startOidcServer()
  buildPages()
  dataDirectory = await newDataDirectory()
  await unpackStore({ image: inject('pgliteImage'), dataDirectory })
  service = await startServiceProcess({
    dataDirectory,
    environment: {
      BOOTSTRAP_PASSWORD: '',
      SMTP_URL: mail.url,
      SMTP_FROM: 'Querypost <querypost@acme.test>',
      OIDC_ISSUER: oidc.issuer,
      OIDC_CLIENT_ID: oidc.clientId,
      OIDC_CLIENT_SECRET: oidc.clientSecret,
      OIDC_NAME: 'Acme',
      OIDC_ALLOWED_DOMAINS: 'acme.test',
    },
  })
  baseURL = service.baseUrl.replace('127.0.0.1', 'localhost')
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await mail?.close()
  await oidc?.close()
  await rm(dataDirectory, { recursive: true, force: true })
})
afterEach(async () => {
  const leaving = visitors
  visitors = []
  for (const visitor of leaving) await visitor.leave()
})

async function newVisitor(options: Partial<Parameters<typeof visit>[1]> = {}): Promise<Page> {
  const visitor = await visit(browser, { ...options, baseURL })
  visitors.push(visitor)
  return visitor.page
}

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const pathNow = (page: Page) => new URL(page.url()).pathname

async function signInAs(page: Page, person: { email: string; password: string }, path = '/') {
  await page.goto(path)
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('creates the first admin with the setup link, which works once', async () => {
  expect(service.output()).toContain('Querypost is running at')
  const link = /http:\/\/localhost:\d+\/welcome#[\w-]{43}/.exec(service.output())![0]
  const page = await newVisitor()
  await page.goto(link)
  await heading(page, 'Welcome to Querypost').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Your name').fill(ada.name)
  await page.getByLabel('E-mail').fill(ada.email)
  await page.getByLabel('Password').fill('too short')
  await page.getByLabel('Organization').fill('Acme')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('alert').getByText('at least 12 characters').waitFor()
  await expect.poll(() => page.getByLabel('Your name').inputValue()).toBe(ada.name)
  await page.getByLabel('Password').fill(ada.password)
  await page.keyboard.press('Enter')
  await navigation(page).waitFor()
  expect(pathNow(page)).toBe('/')
  await page.getByText('Acme').first().waitFor()
  await page.getByRole('button', { name: /Ada/ }).waitFor()

  const later = await newVisitor()
  await later.goto(link)
  await heading(later, 'Invalid link').waitFor()
  await later.getByText('already been used').waitFor()
  await expectAccessible(later)
  await later.getByRole('link', { name: 'Sign in' }).click()
  await heading(later, 'Sign in').waitFor()
})

test('invites a person, who joins in another browser, becomes an admin, and is signed out when removed', async () => {
  const page = await newVisitor()
  await signInAs(page, ada)
  const step = page.getByRole('listitem').filter({ hasText: 'Invite your team' })
  await step.getByLabel('To do').waitFor()
  await step.getByRole('link', { name: 'Invite people' }).click()
  await page.getByText('No open invitations.').waitFor()
  expect(await page.getByRole('combobox', { name: 'Role of Ada' }).isDisabled()).toBe(true)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Invite member' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill(ada.email)
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  await dialog.getByRole('alert').getByText('belongs to a member').waitFor()
  await dialog.getByLabel('E-mail').fill(bob.email)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  await dialog.getByText(`Sent the link to ${bob.email}`).waitFor()
  const link = (await dialog.getByRole('group', { name: 'Invitation link' }).textContent())!
  expect(mail.emails.at(-1)).toMatchObject({ to: [bob.email], text: expect.stringContaining(link) })
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('list', { name: 'Open invitations' }).getByText(bob.email).waitFor()
  expect(await page.content()).not.toContain(link)
  await navigation(page).getByRole('link', { name: 'Home' }).click()
  await step.getByLabel('Done').waitFor()
  await page.goBack()

  const other = await newVisitor()
  await other.goto(link)
  await heading(other, 'Join Acme').waitFor()
  await other.getByText('Ada invited').waitFor()
  await expectAccessible(other)
  await other.getByLabel('Your name').fill(bob.name)
  await other.getByLabel('Password').fill(bob.password)
  await other.getByRole('button', { name: 'Join Acme' }).click()
  await navigation(other).waitFor()
  await other.goto('/settings/members')
  await other.getByText('Only admins can invite members and change roles. Ask Ada.').waitFor()
  expect(await other.getByRole('button', { name: /Invite|Remove/ }).count()).toBe(0)
  await expectAccessible(other)

  await page.reload()
  await page.getByText('No open invitations.').waitFor()
  await page.getByRole('combobox', { name: 'Role of Bob' }).selectOption('admin')
  await page.getByText('Bob is now an admin').first().waitFor()
  await other.reload()
  await other.getByRole('button', { name: 'Invite member' }).waitFor()
  await other.getByRole('combobox', { name: 'Role of Ada' }).waitFor()

  await page.getByRole('button', { name: 'Remove Bob' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove member' }).click()
  await page.getByText('Removed Bob').first().waitFor()
  await other.getByRole('link', { name: 'Chats' }).click()
  await heading(other, 'Sign in').waitFor()
  await signInAs(other, bob)
  await other.getByRole('alert').getByText('no longer a member').waitFor()

  // The link doesn't say that Bob has an account; he does.
  const data = { email: bob.email, role: 'member' }
  const { url } = (await (await page.request.post('/app/api/invitations', { data })).json()) as { url: string }
  await other.goto(url)
  await other.getByLabel('Your name').waitFor()
  await other.getByRole('button', { name: 'I already have an account' }).click()
  await expectAccessible(other)
  await other.getByLabel('Password').fill('not the password')
  await other.getByRole('button', { name: 'Join Acme' }).click()
  await other.getByRole('alert').getByText('Is not the password of an account with this address').waitFor()
  await other.getByLabel('Password').fill(bob.password)
  await other.getByRole('button', { name: 'Join Acme' }).click()
  await navigation(other).waitFor()
})

journey('replaces a lost invitation link, and the old link stops working', async () => {
  const page = await newVisitor({ colorScheme: 'dark' })
  await signInAs(page, ada, '/settings/members')
  await page.getByRole('button', { name: 'Invite member' }).click()
  await page.getByRole('dialog').getByLabel('E-mail').fill('eve@elsewhere.test')
  await page.keyboard.press('Enter')
  const shown = page.getByRole('dialog').getByRole('group', { name: 'Invitation link' })
  const first = (await shown.textContent())!
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New link for eve@elsewhere.test' }).click()
  const second = (await shown.textContent())!
  expect(second).not.toBe(first)
  await page.getByRole('button', { name: 'Done' }).click()
  await expectAccessible(page)

  const other = await newVisitor()
  await other.goto(first)
  await other.getByText('withdrawn').waitFor()
  await other.goto('about:blank')
  await other.goto(second)
  await heading(other, 'Join Acme').waitFor()
  await page.getByRole('button', { name: 'Withdraw invitation for eve@elsewhere.test' }).click()
  await page.getByText('No open invitations.').waitFor()
})

journey('shows the admin of the only organization how large the tables are', async () => {
  const page = await newVisitor({ viewport: { width: 390, height: 780 }, colorScheme: 'dark' })
  await signInAs(page, ada, '/settings/storage')
  const tables = page.getByRole('list', { name: 'Tables by size' })
  await tables.getByRole('listitem').filter({ hasText: 'webhook_deliveries' }).getByText('32 days').waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
})

journey('creates an API key, shows it once, uses it, and revokes it', async () => {
  const page = await newVisitor()
  await signInAs(page, ada, '/account')
  await page.getByLabel('Key name').fill('Nightly report')
  await page.keyboard.press('Enter')
  const shown = page.getByRole('region', { name: 'New API key' })
  const key = (await shown.getByRole('group', { name: 'API key' }).textContent())!
  const example = await shown.getByRole('group', { name: 'Command' }).textContent()
  expect(example).toBe(`curl -H "Authorization: Bearer ${key}" ${baseURL}/api/me`)
  await shown.getByText('Use with an AI assistant').click()
  await shown.getByRole('tab', { name: 'Cursor' }).click()
  const setup = JSON.parse((await shown.getByRole('group', { name: 'Setup for Cursor' }).textContent())!)
  const headers = { Authorization: `Bearer ${key}` }
  expect(setup).toEqual({ mcpServers: { querypost: { url: `${baseURL}/mcp`, headers } } })
  await expectAccessible(page)
  const me = () => fetch(`${baseURL}/api/me`, { headers: { authorization: `Bearer ${key}` } })
  expect(await (await me()).json()).toMatchObject({ user: { email: ada.email }, key: { name: 'Nightly report' } })

  await page.reload()
  await page.getByRole('list', { name: 'API keys' }).getByText('Nightly report').waitFor()
  // The last use of a key is written asynchronously.
  const lastUse = async () => {
    const { items } = (await (await page.request.get('/app/api/api-keys')).json()) as { items: { name: string; lastUsedAt: string | null }[] }
    return items.find(({ name }) => name === 'Nightly report')!.lastUsedAt
  }
  await expect.poll(lastUse, { timeout: 20_000 }).not.toBe(null)
  await page.reload()
  await page.getByRole('listitem').filter({ hasText: 'Nightly report' }).getByText('last used').waitFor()
  expect(await page.content()).not.toContain(key)
  await page.getByRole('button', { name: 'Revoke Nightly report' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Revoke Nightly report' }).waitFor({ state: 'detached' })
  expect((await me()).status).toBe(401)
})

journey('changes the name and the password, which ends other sessions', async () => {
  const [page, elsewhere] = [await newVisitor(), await newVisitor()]
  await signInAs(page, ada, '/account')
  await signInAs(elsewhere, ada)
  await navigation(elsewhere).waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada L.')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByRole('button', { name: /Ada L\./ }).waitFor()

  const password = page.getByRole('region', { name: 'Password' })
  await password.getByLabel('Current password').fill('not the password')
  await password.getByLabel('New password').fill('another password of ada')
  await password.getByRole('button', { name: 'Change password' }).click()
  await password.getByRole('alert').getByText('Is not your password').waitFor()
  await password.getByLabel('Current password').fill(ada.password)
  await password.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed').first().waitFor()
  await expect.poll(() => password.getByLabel('New password').inputValue()).toBe('')
  await page.getByRole('region', { name: 'Active sessions' }).getByText('This browser').waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Sign out Chrome/ }).count()).toBe(0)
  await elsewhere.getByRole('link', { name: 'Chats', exact: true }).click()
  await heading(elsewhere, 'Sign in').waitFor()
  ada.password = 'another password of ada'
})

journey('resets a forgotten password by e-mail', async () => {
  const page = await newVisitor({ viewport: { width: 360, height: 740 } })
  await page.goto('/sign-in')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await heading(page, 'Reset your password').waitFor()
  await expectAccessible(page)
  const before = mail.emails.length
  await page.getByLabel('E-mail').fill(ada.email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await page.getByText('we sent a reset link').waitFor()
  const email = (await mail.received(before + 1)).at(-1)!
  await page.goto(/http:\S+\/reset#\S+/.exec(email.text)![0])
  await heading(page, 'Choose a new password').waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  ada.password = 'a third password of ada'
  await page.getByLabel('New password').fill(ada.password)
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await page.getByRole('button', { name: 'Menu' }).waitFor()
  for (const path of ['/account', '/settings/members', '/settings/organization']) {
    await page.goto(path)
    await heading(page, /./).waitFor()
    await expectNoSidewaysScrolling(page)
  }
})

journey('lets people of the allowed domain in with OIDC, as members, and rejects others with a reason', async () => {
  oidc.user = { sub: 'stranger', email: 'stranger@elsewhere.test', email_verified: true }
  const page = await newVisitor()
  await page.goto('/settings/organization')
  await page.getByRole('link', { name: 'Continue with Acme' }).click()
  await page.getByRole('alert').getByText('Ask an admin of your organization to invite you').waitFor()
  await expectAccessible(page)
  oidc.user = { sub: 'carol', email: 'carol@acme.test', email_verified: true, name: 'Carol' }
  await page.getByRole('link', { name: 'Continue with Acme' }).click()
  await heading(page, 'Organization').waitFor()
  expect(pathNow(page)).toBe('/settings/organization')
  await page.getByText(/Only admins can change these settings. Ask Ada/).waitFor()
  expect(await page.getByRole('switch', { name: 'Webhooks' }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Save name' }).count()).toBe(0)
  await expectAccessible(page)
  await page.goto('/account')
  await page.getByText('You sign in with your organization').waitFor()
})

journey('renames the organization, turns webhooks off and on, and creates and leaves another organization', async () => {
  const page = await newVisitor()
  await signInAs(page, ada, '/settings/organization')
  const name = page.getByLabel('Organization name', { exact: true })
  await name.fill('Acme & sons')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByText('Acme & sons').first().waitFor()
  const webhooks = page.getByRole('switch', { name: 'Webhooks' })
  await webhooks.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off webhooks' }).click()
  await expect.poll(() => webhooks.getAttribute('aria-checked')).toBe('false')
  await webhooks.click()
  await expect.poll(() => webhooks.getAttribute('aria-checked')).toBe('true')
  await expectAccessible(page)

  const otherTab = await page.context().newPage()
  await otherTab.goto('/account')
  await otherTab.getByLabel('Key name').fill('For Acme')
  await page.getByLabel('New organization name').fill('Branch')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByRole('button', { name: 'Branch' }).click()
  // The session is now in the new organization. The key from the other tab must not be created there.
  await otherTab.getByRole('button', { name: 'Create key' }).click()
  await otherTab.getByRole('alert').getByText('In another tab').waitFor()
  await expect.poll(() => otherTab.getByLabel('Key name').inputValue()).toBe('For Acme')
  await page.getByRole('menuitemradio', { name: 'Acme & sons' }).click()
  await page.getByRole('button', { name: 'Acme & sons' }).waitFor()
})
