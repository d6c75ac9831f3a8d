import { type ReactNode, useSyncExternalStore } from 'react'
import { queryClient } from '../api/queries.ts'
import { retryUnanswered, whyUnanswered } from '../api/unanswered.ts'
import { useWords } from '../i18n/index.tsx'
import { Button, PageTitle, Problem, Skeleton } from './basics.tsx'
import { useProblemText } from './form.ts'

const watchAnswers = (listener: () => void) => queryClient.getQueryCache().subscribe(listener)

interface Question {
  data: unknown
  error: unknown
  refetch(): unknown
}

/** What stands in the place of answers until they are there. Of those that do not come it says why, and asks again. */
export function Awaited({ of, children }: { of: Question[]; children?: ReactNode }) {
  const problem = useProblemText()
  const missing = of.filter(({ data }) => data === undefined)
  const failed = missing.filter(({ error }) => error)
  const [first] = failed
  const again = () => {
    for (const { refetch } of failed) void refetch()
  }
  if (first) return <Again why={problem(first.error)} onAgain={again} />
  return missing.length > 0 && children
}

/** The same for a page: as long as it is shown, everything that is asked for is needed. */
export function PageAwaited({ children }: { children: ReactNode }) {
  const { t } = useWords()
  const problem = useProblemText()
  const why = useSyncExternalStore(watchAnswers, whyUnanswered)
  if (why === null) return children
  return (
    <>
      <PageTitle>{t('nav.home')}</PageTitle>
      <Again why={problem(why)} onAgain={() => void retryUnanswered()} />
    </>
  )
}

/** A page whose content is on its way. */
export const PageSkeleton = () => (
  <PageAwaited>
    <div className="space-y-4 pt-3">
      <Skeleton className="h-8 w-56" />
      <Skeleton className="h-32" />
      <Skeleton className="h-96" />
    </div>
  </PageAwaited>
)

/** What is missing and why, and a button that asks for it again. */
export function Again({ why, onAgain }: { why: string; onAgain(): void }) {
  const { t } = useWords()
  return (
    <div className="space-y-3">
      <Problem>{why}</Problem>
      <Button onClick={onAgain}>{t('try_again')}</Button>
    </div>
  )
}
