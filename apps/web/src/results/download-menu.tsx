import { Download } from 'lucide-react'
import { type ResultFormat, resultFileAddress } from '../api/runs.ts'
import { Button } from '../ui/button.tsx'
import { Menu, MenuLink } from '../ui/menu.tsx'

const formats: [ResultFormat, string][] = [
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['parquet', 'Parquet'],
]

/** All rows of a run, as a file. */
export function DownloadMenu({ runId }: { runId: string }) {
  return (
    <Menu trigger={<Button size="small" icon={<Download />}>Download</Button>}>
      {formats.map(([format, name]) => (
        <MenuLink key={format} href={resultFileAddress(runId, format)} download>{name}</MenuLink>
      ))}
    </Menu>
  )
}
