import { Download } from 'lucide-react'
import { type DownloadFormat, resultFileUrl } from '../api/runs.ts'
import { Button } from '../ui/button.tsx'
import { Menu, MenuLink } from '../ui/menu.tsx'

interface Choice {
  format: DownloadFormat
  isRaw?: boolean
  name: string
  purpose: string
}

const choices: Choice[] = [
  { format: 'xlsx', name: 'Excel', purpose: 'A workbook with real numbers and dates' },
  { format: 'csv', name: 'CSV', purpose: 'For spreadsheets: formulas are disabled' },
  { format: 'csv', isRaw: true, name: 'Raw CSV', purpose: 'For programs: values unchanged' },
  { format: 'json', name: 'JSON', purpose: 'Fields and rows in one document' },
  { format: 'jsonl', name: 'JSON Lines', purpose: 'One object per row' },
  { format: 'parquet', name: 'Parquet', purpose: 'Typed and compact, for analysis' },
  { format: 'arrow', name: 'Arrow', purpose: 'Typed, for data frames' },
]

/** Downloads all rows of a run as a file. */
export function DownloadMenu({ runId }: { runId: string }) {
  return (
    <Menu trigger={<Button size="small" icon={<Download />}>Download</Button>}>
      {choices.map(({ format, isRaw = false, name, purpose }) => (
        <MenuLink key={name} href={resultFileUrl(runId, format, { isRaw })} download>
          <span className="grid">
            {name}
            <span className="text-xs text-soft">{purpose}</span>
          </span>
        </MenuLink>
      ))}
    </Menu>
  )
}
