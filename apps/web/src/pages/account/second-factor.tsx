import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountOptions, accountSessionsOptions } from '../../api/account.ts'
import { secondFactorOptions, type SecondFactor as State } from '../../api/second-factor.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Hint } from '../../ui/notice.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { RenewCodesDialog, SetUpDialog, TurnOffDialog } from './second-factor-dialogs.tsx'

/** Codes of an authenticator app, asked for after the password. People without a password have none. */
export function SecondFactor() {
  const account = useQuery(accountOptions)
  const factor = useQuery(secondFactorOptions)
  if (!account.data?.hasPassword) return null
  return (
    <Card title="Second factor" description="Protects your account even if someone learns your password.">
      <Loaded query={factor} skeleton={<Skeleton rows={2} />}>{(state) => <StateOfFactor state={state} />}</Loaded>
    </Card>
  )
}

function StateOfFactor({ state }: { state: State }) {
  const [openDialog, setOpenDialog] = useState<'set-up' | 'turn-off' | 'renew'>()
  const queryClient = useQueryClient()
  const close = () => {
    setOpenDialog(undefined)
    void queryClient.invalidateQueries({ queryKey: secondFactorOptions.queryKey })
    void queryClient.invalidateQueries({ queryKey: accountSessionsOptions.queryKey })
  }
  return (
    <div className="grid gap-3">
      {state.isOn ? (
        <>
          <p className="flex flex-wrap items-center gap-2">
            <Badge color="good">On</Badge>
            <span className="text-soft">
              since <RelativeTime at={state.since!} /> · {state.recoveryCodesLeft} of 10 recovery codes left
            </span>
          </p>
          {state.recoveryCodesLeft < 3 && <Hint kind="warning">You’re running out of recovery codes. Create new ones.</Hint>}
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpenDialog('renew')}>New recovery codes</Button>
            {!state.isRequired && <Button onClick={() => setOpenDialog('turn-off')}>Turn off</Button>}
          </div>
          {state.isRequired && <p className="text-xs text-soft">Your organization requires it.</p>}
        </>
      ) : (
        <>
          <p className="text-soft">Sign in with your password and a code of an authenticator app.</p>
          <Button className="justify-self-start" onClick={() => setOpenDialog('set-up')}>Set up</Button>
        </>
      )}
      {openDialog === 'set-up' && <SetUpDialog onClose={close} />}
      {openDialog === 'turn-off' && <TurnOffDialog onClose={close} />}
      {openDialog === 'renew' && <RenewCodesDialog onClose={close} />}
    </div>
  )
}
