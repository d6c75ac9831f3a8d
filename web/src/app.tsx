import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { BASE } from './api/base.ts'
import { listenForChanges } from './api/events.ts'
import { ApiError } from './api/http.ts'
import { queryClient, sessionQuery } from './api/queries.ts'
import { signedOut } from './api/signed-out.ts'
import { useWords } from './i18n/index.tsx'
import { withWords } from './i18n/languages.ts'
import { Pages } from './pages.tsx'
import { Button, Problem } from './ui/basics.tsx'
import { useProblemText } from './ui/form.ts'

const SignInPage = lazy(withWords(() => import('./pages/sign-in.tsx')))
const NewPasswordPage = lazy(withWords(() => import('./pages/new-password.tsx')))
const AuthorizePage = lazy(withWords(() => import('./pages/authorize.tsx')))
const DevicePage = lazy(withWords(() => import('./pages/device.tsx')))
const InvitationPage = lazy(withWords(() => import('./pages/invitation.tsx')))

/** Where apps of other makers send people, once they are signed in. */
const APP_PAGES: Record<string, typeof AuthorizePage | undefined> = {
  '/authorize': AuthorizePage,
  '/device': DevicePage,
}

/** Signed in: the pages. Not signed in: the door. */
export function App() {
  const { t } = useWords()
  const problem = useProblemText()
  const session = useQuery(sessionQuery)
  // A link from a mail opens also while an account is signed in.
  if (location.pathname === `${BASE}/reset-password`) {
    return (
      <Suspense>
        <NewPasswordPage />
      </Suspense>
    )
  }
  if (session.data && location.pathname === `${BASE}/invitation`) {
    return (
      <Suspense>
        <InvitationPage session={session.data} />
      </Suspense>
    )
  }
  const AppPage = APP_PAGES[location.pathname.slice(BASE.length)]
  if (session.data?.account && AppPage) {
    return (
      <Suspense>
        <AppPage email={session.data.account.email} />
      </Suspense>
    )
  }
  if (session.data?.account) return <SignedIn accountId={session.data.account.id} />
  if (session.data) {
    return (
      <Suspense>
        <SignInPage signUp={session.data.sign_up} resetByMail={session.data.reset_by_mail} />
      </Suspense>
    )
  }
  if (!session.error) return <Shell />
  return (
    <main className="mx-auto max-w-md space-y-4 p-6">
      <h1 className="text-2xl font-semibold">{t('product')}</h1>
      <Problem>{problem(session.error)}</Problem>
      <Button onClick={() => session.refetch()}>{t('try_again')}</Button>
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
