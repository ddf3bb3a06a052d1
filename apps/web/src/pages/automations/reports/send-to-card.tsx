import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Automation } from '../../../api/automations.ts'
import { reportsOptions } from '../../../api/reports.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { newReportDraft } from './report-draft.ts'
import { ReportDialog } from './report-dialog.tsx'
import { ReportRow } from './report-row.tsx'

/** Whom the automation tells, and how. */
export function SendToCard({ automation }: { automation: Automation }) {
  const query = useQuery(reportsOptions(automation.id))
  const [isAdding, setIsAdding] = useState(false)
  return (
    <Card title="Send to" actions={<Button size="small" icon={<Plus />} onClick={() => setIsAdding(true)}>Add recipients</Button>}>
      <Loaded query={query}>
        {(reports) =>
          reports.length === 0 ? (
            <p className="text-soft">Nobody yet. Send the summary or a board by e-mail, to Slack, to Teams or to a webhook after a run.</p>
          ) : (
            <ul className="-m-4 divide-y divide-line" aria-label="Send to">
              {reports.map((report) => <ReportRow key={report.id} report={report} automation={automation} />)}
            </ul>
          )
        }
      </Loaded>
      {isAdding && <ReportDialog automation={automation} initial={newReportDraft} onClose={() => setIsAdding(false)} />}
    </Card>
  )
}
