import { useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect } from 'react'
import { BASE } from './api/base.ts'
import { listenForChanges } from './api/events.ts'
import { ApiError } from './api/http.ts'
import { queryClient, sessionQuery } from './api/queries.ts'
import { signedOut } from './api/signed-out.ts'
import { useWords } from './i18n/index.tsx'
import { withWords } from './i18n/languages.ts'
import { Pages } from './pages.tsx'
import { Awaited } from './ui/awaited.tsx'
import { part } from './ui/part.tsx'

const page = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  part(withWords(load), Outside)

const SignInPage = page(() => import('./pages/sign-in.tsx'))
const NewPasswordPage = page(() => import('./pages/new-password.tsx'))
const AuthorizePage = page(() => import('./pages/authorize.tsx'))
const DevicePage = page(() => import('./pages/device.tsx'))
const InvitationPage = page(() => import('./pages/invitation.tsx'))

/** Where apps of other makers send people, once they are signed in. */
const APP_PAGES: Record<string, typeof AuthorizePage | undefined> = {
  '/authorize': AuthorizePage,
  '/device': DevicePage,
}

/** Signed in: the pages. Not signed in: the door. */
export function App() {
  const session = useQuery(sessionQuery)
  // A link from a mail opens also while an account is signed in.
  if (location.pathname === `${BASE}/reset-password`) {
    return <NewPasswordPage />
  }
  if (session.data && location.pathname === `${BASE}/invitation`) {
    return <InvitationPage session={session.data} />
  }
  const AppPage = APP_PAGES[location.pathname.slice(BASE.length)]
  if (session.data?.account && AppPage) {
    return <AppPage email={session.data.account.email} />
  }
  if (session.data?.account) return <SignedIn accountId={session.data.account.id} />
  if (session.data) {
    return <SignInPage signUp={session.data.sign_up} resetByMail={session.data.reset_by_mail} />
  }
  if (!session.error) return <Shell />
  return (
    <Outside>
      <Awaited of={[session]} />
    </Outside>
  )
}

/** Around what went wrong where no page is. */
function Outside({ children }: { children: ReactNode }) {
  const { t } = useWords()
  return (
    <main className="mx-auto max-w-md space-y-4 p-6">
      <h1 className="text-2xl font-semibold">{t('product')}</h1>
      {children}
    </main>
  )
}

function SignedIn({ accountId }: { accountId: string }) {
  const { language } = useWords()
  useEffect(() => listenForChanges(accountId), [accountId])
  useEffect(() => {
    void import('./api/push.ts').then(({ renewPush }) => renewPush(accountId, language)).catch(() => undefined)
  }, [accountId, language])
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe(({ query }) => {
        const { error } = query.state
        const isSignedOut = error instanceof ApiError && error.code === 'not_signed_in'
        if (isSignedOut && query.queryKey[0] !== 'session') void signedOut()
      }),
    [],
  )
  return <Pages />
}

/** As in index.html: what is on the screen before the first answer stays there until then. */
const Shell = () => <div className="shell" aria-hidden="true" />
