import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

export async function firstLineOfStdin(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return text.split(/\r?\n/, 1)[0] ?? ''
}

/** What is typed is not shown. Nothing typed, or Ctrl-C, is an empty text. */
export async function readSecret(question: string): Promise<string> {
  process.stderr.write(question)
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silence, terminal: true })
  try {
    return await new Promise<string>((resolve) => lines.once('line', resolve).once('close', () => resolve('')))
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

/** Asks on a terminal; elsewhere nobody can answer, and the answer is no. */
export async function isConfirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await new Promise<string>((resolve) => {
    lines.question(`${question} [y/N] `, resolve)
    lines.once('close', () => resolve(''))
  })
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}
