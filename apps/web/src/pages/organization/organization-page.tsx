import { useQuery } from '@tanstack/react-query'
import { organizationOptions } from '../../api/organization.ts'
import { useIsAdmin } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { AskAnAdmin } from './ask-an-admin.tsx'
import { ChartColors } from './chart-colors.tsx'
import { CostLimits } from './cost-limits.tsx'
import { GitRepositories } from './git-repositories.tsx'
import { MemberUploadsSwitch } from './member-uploads-switch.tsx'
import { NewOrganization } from './new-organization.tsx'
import { OrganizationName } from './organization-name.tsx'
import { SignInPolicy } from './sign-in-policy.tsx'
import { WebhooksSwitch } from './webhooks-switch.tsx'

export function OrganizationPage() {
  useTitle('Organization')
  const isAdmin = useIsAdmin()
  const organization = useQuery(organizationOptions)
  return (
    <div className="grid max-w-3xl gap-6 [&>.page-head]:mb-0">
      <PageHead
        title="Organization"
        description="Settings shared by everyone in your organization."
      />
      {!isAdmin && <AskAnAdmin what="Only admins can change these settings." />}
      <Loaded query={organization}>
        {(value) => (
          <>
            {isAdmin ? <OrganizationName organization={value} /> : <Card title="Name">{value.name}</Card>}
            <ChartColors organization={value} isReadOnly={!isAdmin} />
            <WebhooksSwitch organization={value} isReadOnly={!isAdmin} />
            <MemberUploadsSwitch organization={value} isReadOnly={!isAdmin} />
            <SignInPolicy organization={value} isReadOnly={!isAdmin} />
            <CostLimits organization={value} isReadOnly={!isAdmin} />
            {isAdmin && <GitRepositories />}
            <Card title="Model">
              <p className="text-soft">
                Choose the model for chats and automations in <TextLink href={paths.agentSettings}>Agents</TextLink>.
              </p>
            </Card>
          </>
        )}
      </Loaded>
      {isAdmin && <NewOrganization />}
    </div>
  )
}
