import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { AccessMatrix, RowRule } from '../../api/access.ts'
import { Card } from '../../ui/card.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { RowRulesDialog } from './row-rules-dialog.tsx'

type RuledDatabase = AccessMatrix['databases'][number]

/** Which attributes decide about the rows of each database. */
export function RowRulesCard({ databases }: { databases: RuledDatabase[] }) {
  const [editedId, setEditedId] = useState<string>()
  const edited = databases.find(({ id }) => id === editedId)
  return (
    <Card
      title="Row rules"
      description="Let an attribute of each member decide which rows they see. Results are shared only between members with the same values."
    >
      {databases.length === 0 && <p className="text-soft">There are no databases yet.</p>}
      <ul className="-my-2 divide-y divide-line">
        {databases.map((database) => (
          <li key={database.id} className="flex items-center gap-4 py-2">
            <div className="mr-auto min-w-0">
              <p className="font-medium [overflow-wrap:anywhere]">{database.name}</p>
              <p className="text-xs text-soft [overflow-wrap:anywhere]">
                {database.rowRules.length === 0 ? 'Everyone sees the same rows' : database.rowRules.map(describeRule).join(' · ')}
              </p>
            </div>
            <IconButton label={`Edit row rules of ${database.name}`} icon={<Pencil />} onClick={() => setEditedId(database.id)} />
          </li>
        ))}
      </ul>
      {edited && <RowRulesDialog database={edited} onClose={() => setEditedId(undefined)} />}
    </Card>
  )
}

const describeRule = ({ attribute, kind, name }: RowRule) => `${kind}${name === null ? '' : ` ${name}`} = ${attribute}`
