import { type PaletteHints, paletteLimits, readPaletteHints, type Vision } from '@querypost/visualization'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { editOrganization, type Organization, organizationOptions } from '../../api/organization.ts'
import { messageOf } from '../../api/request.ts'
import { sessionOptions } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'

/** To start from: colors that people with color blindness can tell apart (Okabe and Ito, 2008). */
const firstColors = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00']

const nextColor = (colors: string[]) => firstColors.find((each) => !colors.includes(each)) ?? '#7a7f83'

/** The colors of the organization's charts. */
export function ChartColors({ organization, isReadOnly }: { organization: Organization; isReadOnly: boolean }) {
  const { chartPalette } = organization
  const [colors, setColors] = useState(chartPalette)
  const queryClient = useQueryClient()
  const toast = useToast()
  const saving = useMutation({
    mutationFn: (palette: string[] | null) => editOrganization({ chartPalette: palette }),
    onSuccess: async (saved) => {
      setColors(saved.chartPalette)
      queryClient.setQueryData(organizationOptions.queryKey, saved)
      await queryClient.invalidateQueries({ queryKey: sessionOptions.queryKey })
      toast.show({ message: saved.chartPalette ? 'Chart colors saved.' : 'Charts use the default colors.' })
    },
  })
  const isChanged = JSON.stringify(colors) !== JSON.stringify(chartPalette)
  if (isReadOnly) {
    return (
      <Card title="Chart colors">
        {chartPalette ? <Swatches colors={chartPalette} /> : <p className="text-soft">Charts use the default colors.</p>}
      </Card>
    )
  }
  if (colors === null) {
    return (
      <Card title="Chart colors">
        <div className="flex flex-wrap items-center gap-3">
          <p className="mr-auto text-soft">Charts use the default colors.</p>
          <Button onClick={() => setColors(firstColors)}>Choose colors</Button>
        </div>
      </Card>
    )
  }
  return (
    <Card title="Chart colors">
      <div className="grid gap-3">
        <p className="text-soft">For the series of all charts, in this order.</p>
        <ol className="flex flex-wrap gap-2" aria-label="Colors">
          {colors.map((color, at) => (
            <li key={at} className="flex items-center rounded-md border border-line">
              <input
                type="color"
                aria-label={`Color ${at + 1}`}
                className="h-8.5 w-11 cursor-pointer rounded-md bg-surface p-1"
                value={color}
                onChange={({ target }) => setColors(colors.with(at, target.value))}
              />
              <IconButton
                label={`Remove color ${at + 1}`}
                icon={<Trash2 />}
                disabled={colors.length <= paletteLimits.min}
                onClick={() => setColors(colors.toSpliced(at, 1))}
              />
            </li>
          ))}
          {colors.length < paletteLimits.max && (
            <li>
              <Button icon={<Plus />} onClick={() => setColors([...colors, nextColor(colors)])}>Add color</Button>
            </li>
          )}
        </ol>
        <PaletteAdvice hints={readPaletteHints(colors)} />
        {saving.isError && <Problem message={messageOf(saving.error)} />}
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" isBusy={saving.isPending} disabled={!isChanged} onClick={() => saving.mutate(colors)}>
            Save colors
          </Button>
          <Button disabled={saving.isPending} onClick={() => (chartPalette ? saving.mutate(null) : setColors(null))}>
            Use default colors
          </Button>
        </div>
      </div>
    </Card>
  )
}

function Swatches({ colors }: { colors: string[] }) {
  return (
    <ol className="flex flex-wrap gap-2">
      {colors.map((color, at) => (
        <li key={at} className="flex items-center gap-1.5 text-xs text-soft tabular-nums">
          <span className="size-5 rounded" style={{ backgroundColor: color }} />
          {color}
        </li>
      ))}
    </ol>
  )
}

const visionLabels: { [vision in Vision]: string } = {
  full: 'to everyone',
  protanopia: 'to people who don’t see red',
  deuteranopia: 'to people who don’t see green',
  tritanopia: 'to people who don’t see blue',
}

/** Colors that are hard to tell apart or to see. They can be saved all the same. */
function PaletteAdvice({ hints }: { hints: PaletteHints }) {
  const { similar, faint } = hints
  if (similar.length === 0 && faint.length === 0) {
    return <p className="text-xs text-soft">These colors can be told apart with color blindness, and stand out in light and dark mode.</p>
  }
  return (
    <Hint kind="warning">
      <ul className="grid gap-1">
        {similar.map(({ first, second, seenBy }) => (
          <li key={`${first} ${second}`}>Colors {first + 1} and {second + 1} look alike {visionLabels[seenBy]}.</li>
        ))}
        {faint.map(({ place, on }) => (
          <li key={`${place} ${on}`}>Color {place + 1} is hard to see in {on} mode.</li>
        ))}
      </ul>
    </Hint>
  )
}
