import { useSession } from '../../api/session.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { ApiKeys } from './api-keys.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

/** The settings of the signed-in person. */
export function AccountPage() {
  const { user, organization, role } = useSession()
  useTitle('Account')
  return (
    <div className="grid max-w-3xl gap-6 [&>.page-head]:mb-0">
      <PageHead
        title="Account"
        description={`${user.email} · ${role === 'admin' ? 'admin' : 'member'} of ${organization.name}`}
      />
      <ApiKeys />
      <Profile />
      <Password />
      <SecondFactor />
      <Sessions />
    </div>
  )
}
