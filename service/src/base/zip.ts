import { setImmediate } from 'node:timers/promises'

interface TextFile {
  name: string
  parts: AsyncIterable<string>
}

/** An archive of text files, made while it is read; other work goes on after each part. */
export async function* zipped(files: AsyncIterable<TextFile>): AsyncGenerator<Uint8Array> {
  // Its tables take milliseconds to make, which only a start that needs them has to spend.
  const { Zip, ZipDeflate } = await import('fflate')
  let made: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    made.push(chunk)
  })
  const taken = () => {
    const chunks = made
    made = []
    return chunks
  }
  const encoder = new TextEncoder()
  for await (const { name, parts } of files) {
    const file = new ZipDeflate(name)
    zip.add(file)
    for await (const part of parts) {
      file.push(encoder.encode(part))
      yield* taken()
      await setImmediate()
    }
    file.push(new Uint8Array(), true)
    yield* taken()
  }
  zip.end()
  yield* taken()
}
