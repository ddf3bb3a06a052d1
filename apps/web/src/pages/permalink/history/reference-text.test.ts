import { expect, test } from 'vitest'
import { settingsText } from './reference-text.ts'

const names = {
  folder: (id: string) => (id === 'f' ? 'Finance / Reports' : undefined),
  database: (id: string) => (id === 'd' ? 'Warehouse' : undefined),
}
const bare = { title: 'Orders', description: null, analyticalDatabaseConfigId: null, folderId: null, parameters: [] }

test('a query has one line for each setting', () => {
  const text = settingsText(
    {
      title: 'Orders',
      description: 'By day',
      analyticalDatabaseConfigId: 'd',
      folderId: 'f',
      parameters: [{ name: 'n', displayName: 'N', type: 'number', defaultValue: '1', description: '' }],
      visualization: {
        type: 'bar',
        jsxConfig: '<BarChart>\n  <Bar dataKey="n" />\n</BarChart>',
        marginConfig: { top: 0, right: 0, bottom: 0, left: 0 },
        columns: [{ name: 'n', title: 'Count' }],
      },
    },
    names,
  )
  expect(text.split('\n')).toEqual([
    'Title: Orders',
    'Description: By day',
    'Database: Warehouse',
    'Folder: Finance / Reports',
    'Parameter n',
    '  displayName: N',
    '  type: number',
    '  defaultValue: 1',
    'Chart: bar',
    '  <BarChart>',
    '    <Bar dataKey="n" />',
    '  </BarChart>',
    '  Column n',
    '    title: Count',
    '  marginConfig: {"top":0,"right":0,"bottom":0,"left":0}',
  ])
})

test('settings without a value are left out, and deleted folders are named so', () => {
  expect(settingsText(bare, names)).toBe('Title: Orders')
  expect(settingsText({ ...bare, folderId: 'gone' }, names)).toBe('Title: Orders\nFolder: deleted')
})
