import { rm } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { type MailServer, type OidcServer, startMailServer, startOidcServer } from '@querypost/server/testing'
import { buildPages } from '../../scripts/build-pages.mjs'
import { unpackStore } from '../first-start.ts'
import { newDataDirectory, type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { expectAccessible, expectNoSidewaysScrolling } from './accessible.ts'
import { openBrowser, visit, type Visitor } from './browser.ts'

/**
 * A service that nobody has prepared: its first start prints a link, and everything else follows from the pages. Beside it
 * on loopback a mail server and an OIDC provider. The tests tell one story, in order.
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

async function comeIn(options: Partial<Parameters<typeof visit>[1]> = {}): Promise<Page> {
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

test('the link that the first start prints makes the first admin, once', async () => {
  const link = /http:\/\/localhost:\d+\/welcome#[\w-]{43}/.exec(service.output())![0]
  const page = await comeIn()
  await page.goto(link)
  await heading(page, 'Welcome to Querypost').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Your name').fill(ada.name)
  await page.getByLabel('E-mail').fill(ada.email)
  await page.getByLabel('Password').fill('too short')
  await page.getByLabel('Organization').fill('Acme')
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.getByRole('alert').getByText('at least 12 characters').waitFor()
  expect(await page.getByLabel('Your name').inputValue()).toBe(ada.name)
  await page.getByLabel('Password').fill(ada.password)
  await page.keyboard.press('Enter')
  await navigation(page).waitFor()
  expect(pathNow(page)).toBe('/')
  await page.getByText('Acme').first().waitFor()
  await page.getByRole('button', { name: /Ada/ }).waitFor()

  const later = await comeIn()
  await later.goto(link)
  await heading(later, 'This link opens nothing').waitFor()
  await later.getByText('already been used').waitFor()
  await expectAccessible(later)
  await later.getByRole('link', { name: 'Sign in' }).click()
  await heading(later, 'Sign in').waitFor()
})

test('an admin invites somebody, who joins in another browser, is made an admin, and is out when removed', async () => {
  const page = await comeIn()
  await signInAs(page, ada, '/settings/members')
  await page.getByText('None. Whoever you invite').waitFor()
  expect(await page.getByRole('combobox', { name: 'Role of Ada' }).isDisabled()).toBe(true)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill(ada.email)
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await dialog.getByRole('alert').getByText('belongs to a member').waitFor()
  await dialog.getByLabel('E-mail').fill(bob.email)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await dialog.getByText(`The link was sent to ${bob.email}`).waitFor()
  const link = (await dialog.getByRole('group', { name: 'Invitation link' }).textContent())!
  expect(mail.letters.at(-1)).toMatchObject({ to: [bob.email], text: expect.stringContaining(link) })
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('list', { name: 'Open invitations' }).getByText(bob.email).waitFor()
  expect(await page.content()).not.toContain(link)

  const other = await comeIn()
  await other.goto(link)
  await heading(other, 'Join Acme').waitFor()
  await other.getByText('Ada invites').waitFor()
  await expectAccessible(other)
  await other.getByLabel('Your name').fill(bob.name)
  await other.getByLabel('Password').fill(bob.password)
  await other.getByRole('button', { name: 'Join Acme' }).click()
  await navigation(other).waitFor()
  await other.goto('/settings/members')
  await other.getByText('Only admins invite people and change roles. Ask Ada.').waitFor()
  expect(await other.getByRole('button', { name: /Invite|Remove/ }).count()).toBe(0)
  await expectAccessible(other)

  await page.reload()
  await page.getByText('None. Whoever you invite').waitFor()
  await page.getByRole('combobox', { name: 'Role of Bob' }).selectOption('admin')
  await page.getByText('Bob is an admin now').first().waitFor()
  await other.reload()
  await other.getByRole('button', { name: 'Invite somebody' }).waitFor()
  await other.getByRole('combobox', { name: 'Role of Ada' }).waitFor()

  await page.getByRole('button', { name: 'Remove Bob' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Bob is removed').first().waitFor()
  await other.getByRole('link', { name: 'Chats' }).click()
  await heading(other, 'Sign in').waitFor()
  await signInAs(other, bob)
  await other.getByRole('alert').getByText('not a member').waitFor()
})

test('a lost invitation link is replaced by a new one, and the old one opens nothing', async () => {
  const page = await comeIn({ colorScheme: 'dark' })
  await signInAs(page, ada, '/settings/members')
  await page.getByRole('button', { name: 'Invite somebody' }).click()
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

  const other = await comeIn()
  await other.goto(first)
  await other.getByText('withdrawn').waitFor()
  await other.goto('about:blank')
  await other.goto(second)
  await heading(other, 'Join Acme').waitFor()
  await page.getByRole('button', { name: 'Withdraw the invitation of eve@elsewhere.test' }).click()
  await page.getByText('None. Whoever you invite').waitFor()
})

test('an API key is created, shown once, works against /api/me, and is revoked', async () => {
  const page = await comeIn()
  await signInAs(page, ada, '/account')
  await page.getByLabel('Name of the new key').fill('Nightly report')
  await page.keyboard.press('Enter')
  const shown = page.getByRole('region', { name: 'New API key' })
  const key = (await shown.getByRole('group', { name: 'API key' }).textContent())!
  const example = await shown.getByRole('group', { name: 'Command' }).textContent()
  expect(example).toBe(`curl -H "Authorization: Bearer ${key}" ${baseURL}/api/me`)
  await shown.getByText('Use it with an assistant').click()
  await shown.getByRole('tab', { name: 'Cursor' }).click()
  const setup = JSON.parse((await shown.getByRole('group', { name: 'Setup of Cursor' }).textContent())!)
  const headers = { Authorization: `Bearer ${key}` }
  expect(setup).toEqual({ mcpServers: { querypost: { url: `${baseURL}/mcp`, headers } } })
  await expectAccessible(page)
  const me = () => fetch(`${baseURL}/api/me`, { headers: { authorization: `Bearer ${key}` } })
  expect(await (await me()).json()).toMatchObject({ user: { email: ada.email }, key: { name: 'Nightly report' } })

  await page.reload()
  await page.getByRole('list', { name: 'API keys' }).getByText('Nightly report').waitFor()
  // When a key was last used is written behind the request's back.
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

test('a person changes the name and the password, which ends the session elsewhere', async () => {
  const [page, elsewhere] = [await comeIn(), await comeIn()]
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
  await page.getByText('Your password is changed').first().waitFor()
  await expect.poll(() => password.getByLabel('New password').inputValue()).toBe('')
  await page.getByRole('region', { name: 'Where you are signed in' }).getByText('This browser').waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Sign out Chrome/ }).count()).toBe(0)
  await elsewhere.getByRole('link', { name: 'Chats' }).click()
  await heading(elsewhere, 'Sign in').waitFor()
  ada.password = 'another password of ada'
})

test('a forgotten password is replaced by way of a letter', async () => {
  const page = await comeIn({ viewport: { width: 360, height: 740 } })
  await page.goto('/sign-in')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await heading(page, 'Forgotten password').waitFor()
  await expectAccessible(page)
  const before = mail.letters.length
  await page.getByLabel('E-mail').fill(ada.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('a letter with a link is on its way').waitFor()
  const letter = (await mail.received(before + 1)).at(-1)!
  await page.goto(/http:\S+\/reset#\S+/.exec(letter.text)![0])
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

test('the OIDC provider lets in people of the domain, who only look at the settings, and refuses others with a reason', async () => {
  oidc.user = { sub: 'stranger', email: 'stranger@elsewhere.test', email_verified: true }
  const page = await comeIn()
  await page.goto('/settings/organization')
  await page.getByRole('link', { name: 'Continue with Acme' }).click()
  await page.getByRole('alert').getByText('Ask an admin of your organization to invite you').waitFor()
  await expectAccessible(page)
  oidc.user = { sub: 'carol', email: 'carol@acme.test', email_verified: true, name: 'Carol' }
  await page.getByRole('link', { name: 'Continue with Acme' }).click()
  await heading(page, 'Organization').waitFor()
  expect(pathNow(page)).toBe('/settings/organization')
  await page.getByText('Only admins change these settings. Ask Ada L.').waitFor()
  expect(await page.getByRole('switch', { name: 'Webhooks' }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Save name' }).count()).toBe(0)
  await expectAccessible(page)
  await page.goto('/account')
  await page.getByText('You sign in through your organization').waitFor()
})

test('an admin renames the organization, switches webhooks off and on, and founds another one to go back from', async () => {
  const page = await comeIn()
  await signInAs(page, ada, '/settings/organization')
  const name = page.getByLabel('Name of the organization')
  await name.fill('Acme & sons')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByText('Acme & sons').first().waitFor()
  const webhooks = page.getByRole('switch', { name: 'Webhooks' })
  await webhooks.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
  await expect.poll(() => webhooks.getAttribute('aria-checked')).toBe('false')
  await webhooks.click()
  await expect.poll(() => webhooks.getAttribute('aria-checked')).toBe('true')
  await expectAccessible(page)

  const otherTab = await page.context().newPage()
  await otherTab.goto('/account')
  await otherTab.getByLabel('Name of the new key').fill('For Acme')
  await page.getByLabel('Name of the new organization').fill('Branch')
  await page.getByRole('button', { name: 'Create and go there' }).click()
  await page.getByRole('button', { name: 'Branch' }).click()
  // The session is in the new organization now: what was typed into the other tab does not end up there.
  await otherTab.getByRole('button', { name: 'Create key' }).click()
  await otherTab.getByRole('alert').getByText('In another tab').waitFor()
  expect(await otherTab.getByLabel('Name of the new key').inputValue()).toBe('For Acme')
  await page.getByRole('menuitemradio', { name: 'Acme & sons' }).click()
  await page.getByRole('button', { name: 'Acme & sons' }).waitFor()
})
