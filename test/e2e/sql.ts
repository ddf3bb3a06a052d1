import type { Page } from 'playwright-core'

/** Helpers for the SQL editor and the result grid. */

export const editorOf = (page: Page) => page.getByRole('textbox', { name: 'SQL', exact: true })

/** Replaces the text in the editor. */
export async function writeSql(page: Page, sql: string): Promise<void> {
  await editorOf(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(sql)
}

export const gridOf = (page: Page) => page.getByRole('grid', { name: 'Result rows' })

/** Waits for a row and returns its cells that are in the document, from the first column. */
export async function cellsOf(page: Page, rowIndex: number): Promise<string[]> {
  const cells = gridOf(page).locator(`[role=row][aria-rowindex="${rowIndex + 2}"] [role=gridcell]`)
  await cells.first().waitFor()
  return cells.allTextContents()
}

export async function rowCountOf(page: Page): Promise<number> {
  await page.locator('section[aria-label="Result"][aria-busy="false"]').waitFor()
  return Number(await gridOf(page).getAttribute('aria-rowcount')) - 1
}
