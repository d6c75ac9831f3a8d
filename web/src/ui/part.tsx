import { type ComponentType, Fragment, type ReactNode, useEffect, useState } from 'react'
import { useWords } from '../i18n/index.tsx'
import { Again } from './awaited.tsx'

interface Around {
  /** What stands there until the part is loaded. */
  waiting?: ReactNode
}

/** A part of the website that is loaded when it is shown. One that did not come says so, and is asked for again. */
export function part<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Frame: ComponentType<{ children: ReactNode }> = Fragment,
) {
  let loaded: ComponentType<Props> | undefined
  return function Part({ waiting = null, ...props }: Props & Around) {
    const { t } = useWords()
    const [Shown, show] = useState(() => loaded)
    const [isFailed, setFailed] = useState(false)
    useEffect(() => {
      if (Shown || isFailed) return
      load().then(
        ({ default: component }) => {
          loaded = component
          show(() => component)
        },
        () => setFailed(true),
      )
    }, [Shown, isFailed])
    if (Shown) return <Shown {...(props as unknown as Props)} />
    if (!isFailed) return waiting
    return (
      <Frame>
        <Again why={t('problem.unknown')} onAgain={() => setFailed(false)} />
      </Frame>
    )
  }
}
