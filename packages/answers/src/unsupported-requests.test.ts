import { describe, expect, test } from 'vitest'
import { findUnsupportedRequests, type RequestKind } from './unsupported-requests.ts'

const kindsIn = (text: string, context: 'chat' | 'automation' = 'chat') =>
  findUnsupportedRequests(text, context).requests.map(({ kind }) => kind)

describe('questions about data ask for nothing else', () => {
  test.each([
    'E-mail opt-in rate by week',
    'Email open rate per campaign',
    'Email campaigns with the most clicks',
    'How many e-mails did we send last month?',
    'Which customers have no e-mail address?',
    'What share of users opened the e-mail we sent to them?',
    'E-mails sent to customers in Germany by month',
    'Send volume by day',
    'Mail orders versus web orders',
    'Orders posted in March',
    'Posts per user in the last week',
    'Post count by author',
    'Messages sent in Slack by day',
    'Teams with the most wins',
    'Teams by number of closed tickets',
    'Share of revenue by channel',
    'Share of the users in Slack channels',
    'Call duration by team',
    'Call center volume per hour',
    'Text length of reviews',
    'Users who deleted their account',
    'How many users sign in and delete their account within a day?',
    'Delete requests per day',
    'Deleted rows by month',
    'Accounts canceled last week and the reason',
    'Cancel rate by plan',
    'Refund rate by country',
    'Refunds of the last 30 days',
    'Change in revenue compared with last month',
    'Changes to prices in 2025',
    'Updates per product',
    'Remove weekends from the result and show the rest',
    'Remove the outliers and compute the median',
    'Change the chart to bars',
    'Add a column with the share of each country',
    'Create a table of revenue by month',
    'Set the date range to the last 90 days',
    'Drop the first row and sort by revenue',
    'Dashboard views per user',
    'How many dashboards were created last week?',
    'Board members by year of joining',
    'Exports to France by month',
    'Export revenue by country',
    'Downloads of the PDF guide per week',
    'PDF downloads by country',
    'How often did people export to Excel?',
    'Daily revenue of the last two weeks',
    'Show me revenue every month since January',
    'Give me weekly active users',
    'Which reports are scheduled every Monday?',
    'Schedule adherence by team',
    'Tell me when revenue peaked',
    'Tell me if revenue fell last week',
    'Let me know which products sell best',
    'Runs per automation and day',
    'What is the alert rate per host?',
    'Orders by status and who set it',
    'Why did revenue drop, and which countries caused it?',
    'Customers who bought once and never came back',
    'People who get a text message and reply to it',
  ])('%s', (text) => {
    expect(findUnsupportedRequests(text, 'chat')).toEqual({ requests: [], asksForMore: true })
    expect(findUnsupportedRequests(text, 'automation')).toEqual({ requests: [], asksForMore: true })
  })
})

describe('orders that a chat cannot carry out', () => {
  test.each<[string, RequestKind[], { more: boolean }]>([
    ['Email this to Bob', ['email'], { more: false }],
    ['E-mail me the report, please', ['email'], { more: false }],
    ['Please email the results to bob@example.com.', ['email'], { more: false }],
    ['Send it to bob@example.com', ['email'], { more: false }],
    ['Can you send this by email?', ['email'], { more: false }],
    ['Could you please forward that to my boss', ['email'], { more: false }],
    ['How many orders were there last week? Email it to Bob.', ['email'], { more: true }],
    ['What was revenue in May and e-mail it to the team', ['email'], { more: true }],
    ['Email the revenue of last week to bob@example.com', ['email'], { more: true }],
    ['Compute churn by plan, then send me an e-mail', ['email'], { more: true }],
    ['I want you to mail the list to our customers', ['email'], { more: false }],
    ['Post this to Slack', ['message'], { more: false }],
    ['Post the result in #sales', ['message'], { more: false }],
    ['Share it on Microsoft Teams', ['message'], { more: false }],
    ['Send the chart to our Discord channel', ['message'], { more: false }],
    ['Show signups by day and post them to Slack', ['message'], { more: true }],
    ['Text me the answer', ['message'], { more: false }],
    ['Send me an SMS', ['message'], { more: false }],
    ['Call me', ['message'], { more: false }],
    ['Slack the team the revenue of yesterday', ['message'], { more: true }],
    ['Delete all orders from 2019', ['change_data'], { more: false }],
    ['Please delete the duplicates', ['change_data'], { more: false }],
    ['Delete inactive users', ['change_data'], { more: false }],
    ['Drop the table orders_old', ['change_data'], { more: false }],
    ['Drop the orders_old table', ['change_data'], { more: false }],
    ['Truncate table events', ['change_data'], { more: false }],
    ['Remove customer 12 from the database', ['change_data'], { more: false }],
    ['Update the price of product 12 to 9.99', ['change_data'], { more: false }],
    ['Set the status of order 5 to shipped', ['change_data'], { more: false }],
    ['Mark all invoices as paid', ['change_data'], { more: false }],
    ['Refund order 1234', ['change_data'], { more: false }],
    ['Insert a row into customers', ['change_data'], { more: false }],
    ['Which orders are duplicates? Delete them.', ['change_data'], { more: true }],
    ['Find inactive accounts and delete them', ['change_data'], { more: true }],
    ['Create a dashboard', ['dashboard'], { more: false }],
    ['Build me a sales dashboard with revenue by country', ['dashboard'], { more: true }],
    ['Add this to my board', ['dashboard'], { more: false }],
    ['Show revenue by month and pin it to the marketing dashboard', ['dashboard'], { more: true }],
    ['Export this to Excel', ['file'], { more: false }],
    ['Download the results', ['file'], { more: false }],
    ['Save it as a PDF', ['file'], { more: false }],
    ['Put the result into a Google Sheet', ['file'], { more: false }],
    ['Make a PowerPoint', ['file'], { more: false }],
    ['Revenue by region for 2025, and give me a spreadsheet', ['file'], { more: true }],
    ['Schedule this', ['schedule'], { more: false }],
    ['Run this every Monday', ['schedule'], { more: false }],
    ['Email me the revenue every morning', ['email', 'schedule'], { more: true }],
    ['Alert me when stock is below 10', ['schedule'], { more: true }],
    ['Set up a weekly report', ['schedule'], { more: false }],
    ['Let me know when churn exceeds 5%', ['schedule'], { more: true }],
    ['What changed last week? Repeat this daily.', ['schedule'], { more: true }],
  ])('%s', (text, kinds, { more }) => {
    expect({ kinds: kindsIn(text), more: findUnsupportedRequests(text, 'chat').asksForMore }).toEqual({ kinds, more })
  })
})

test('the description of an automation may contain a schedule', () => {
  expect(kindsIn('Check revenue every Monday and alert me when it drops', 'automation')).toEqual([])
})

describe('the description of an automation may say where reports go', () => {
  test.each<[string, RequestKind[]]>([
    ['Every Monday, post the revenue to Slack', []],
    ['Every Monday at 8 e-mail finance@example.com the revenue board and post it in #sales', []],
    ['Summarize sales and e-mail it to the team every Monday', []],
    ['Send it to our Microsoft Teams channel', []],
    ['Check stock every day and send me an Excel file', []],
    ['Summarize sales and send the result as a PDF', []],
    ['Send the chart to our Discord channel', ['message']],
    ['Text me the answer', ['message']],
    ['Send me an SMS', ['message']],
    ['Call me', ['message']],
    ['Make a PowerPoint', ['file']],
    ['Find inactive accounts and delete them', ['change_data']],
    ['E-mail me the orders and mark all invoices as paid', ['change_data']],
    ['Build me a sales dashboard', ['dashboard']],
  ])('%s', (text, kinds) => {
    expect(kindsIn(text, 'automation')).toEqual(kinds)
  })
})

test('explains each kind once, in the words of the place', () => {
  const { requests } = findUnsupportedRequests('Email this to Bob and email it to Ann', 'chat')
  expect(requests).toEqual([{ kind: 'email', explanation: expect.stringMatching(/^I cannot send e-mail from a chat\. /) }])
  const [inAutomation] = findUnsupportedRequests('Text me the answer', 'automation').requests
  expect(inAutomation!.explanation).toMatch(/^Automations send reports by e-mail, to Slack, /)
})

test('reads only the beginning of a long text, and treats the rest as a question', () => {
  const description = 'Revenue by country, please. '.repeat(200)
  expect(findUnsupportedRequests(`Email this to Bob. ${description}`, 'chat')).toMatchObject({ requests: [{ kind: 'email' }], asksForMore: true })
  expect(kindsIn(`${description} Email this to Bob.`)).toEqual([])
})
