import type { Page } from 'playwright-core'

/** Steps that several tests share. */

/** The credentials of a person. */
interface Account {
  email: string
  password: string
}

export async function enterPassword(page: Page, { email, password: own }: Account, password = own): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Signs in without the form, which has its own tests. */
export async function signIn(page: Page, { email, password }: Account): Promise<void> {
  const answer = await page.request.post('/app/api/session', { data: { email, password } })
  if (answer.status() !== 204) throw new Error(`Sign-in answered ${answer.status()}.`)
}

/** Signs in and opens a page. */
export async function openAs(page: Page, account: Account, path: string): Promise<void> {
  await signIn(page, account)
  await page.goto(path)
  await page.getByRole('navigation', { name: 'Main' }).or(page.getByRole('button', { name: 'Menu' })).first().waitFor()
}

/** Creates a query with a reference through the routes of the web app. Resolves with the shortId. */
export async function storeQueryWithReference(page: Page, { title, sql }: { title: string; sql: string }): Promise<string> {
  const { request } = page
  const { items } = (await (await request.get('/app/api/databases')).json()) as { items: { id: string }[] }
  const data = { sql, analyticalDatabaseConfigId: items[0]?.id }
  const query = (await (await request.post('/app/api/queries', { data })).json()) as { id: string }
  const stored = await request.post('/app/api/references', { data: { queryId: query.id, title } })
  return ((await stored.json()) as { shortId: string }).shortId
}

/** Creates an automation with one new reference and no schedule. Resolves with its id. */
export async function storeAutomation(page: Page, { name, sql }: { name: string; sql: string }): Promise<string> {
  const shortId = await storeQueryWithReference(page, { title: `${name}: its query`, sql })
  const data = { name, instructions: 'Say what there is to say.', references: [shortId] }
  const stored = await page.request.post('/app/api/automations', { data })
  return ((await stored.json()) as { id: string }).id
}

/** Signs another browser in as a new member, invited from the admin's page. Each organization has people of its own. */
export async function joinAsMember(page: Page, adminPage: Page, { name }: { name: string }): Promise<void> {
  const { user } = (await (await adminPage.request.get('/app/api/session')).json()) as { user: { email: string } }
  const data = { email: user.email.replace(/^[^@]+/, name.toLowerCase()), role: 'member' }
  const invited = await adminPage.request.post('/app/api/invitations', { data })
  const { url } = (await invited.json()) as { url: string }
  const joining = { token: new URL(url).hash.slice(1), name, password: 'correct horse battery' }
  const joined = await page.request.post('/app/api/invitations/accept', { data: joining })
  if (!joined.ok()) throw new Error(`Joining answered ${joined.status()}.`)
}
