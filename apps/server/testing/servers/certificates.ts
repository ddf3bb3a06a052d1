import type { KeyObject } from 'node:crypto'
import { generateKeyPair, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import tls from 'node:tls'
import { promisify } from 'node:util'
import ipaddr from 'ipaddr.js'
import * as der from './der.ts'

/** A certificate authority for tests. */
export interface Authority {
  /** PEM. */
  readonly certificate: string
  /** Issues a server's key and certificate (PEM) for these names and addresses, valid from yesterday for a week by default. */
  issue(options: { names: string[]; notBefore?: Date; notAfter?: Date }): Promise<{ key: string; cert: string }>
}

const ecdsaWithSha256 = der.sequence(der.objectId('1.2.840.10045.4.3.2'))
const dayMs = 86_400_000
const daysFromNow = (days: number) => new Date(Date.now() + days * dayMs)
const makeKeys = () => promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })

export async function makeAuthority(name = 'Querypost test authority'): Promise<Authority> {
  const { privateKey, publicKey } = await makeKeys()
  const makeCertificate = (options: Omit<CertificateOptions, 'issuer' | 'signingKey'>) =>
    signCertificate({ ...options, issuer: name, signingKey: privateKey })
  return {
    certificate: makeCertificate({
      subject: name,
      publicKey,
      notBefore: daysFromNow(-365),
      notAfter: daysFromNow(365),
      extensions: [isAuthority, mayOnlySignCertificates],
    }),
    async issue({ names, notBefore = daysFromNow(-1), notAfter = daysFromNow(7) }) {
      const leaf = await makeKeys()
      return {
        key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        cert: makeCertificate({
          subject: 'Querypost test receiver',
          publicKey: leaf.publicKey,
          notBefore,
          notAfter,
          extensions: [isForServers, isFor(names)],
        }),
      }
    },
  }
}

/** A key and a self-signed certificate. */
export async function makeSelfSigned({ names }: { names: string[] }): Promise<{ key: string; cert: string }> {
  const { privateKey, publicKey } = await makeKeys()
  const name = 'Querypost test receiver'
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: signCertificate({
      subject: name,
      issuer: name,
      publicKey,
      signingKey: privateKey,
      notBefore: daysFromNow(-1),
      notAfter: daysFromNow(7),
      extensions: [isForServers, isFor(names)],
    }),
  }
}

/**
 * Adds the authority to the defaults of this process, as NODE_EXTRA_CA_CERTS does for a new process. It applies to clients whose
 * first connection comes afterwards. Returns a function that undoes it.
 */
export function trust(authority: Authority): () => void {
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, authority.certificate])
  return () => tls.setDefaultCACertificates(before)
}

interface CertificateOptions {
  subject: string
  issuer: string
  publicKey: KeyObject
  signingKey: KeyObject
  notBefore: Date
  notAfter: Date
  extensions: Buffer[]
}

/** X.509 version 3. */
function signCertificate(options: CertificateOptions): string {
  const { subject, issuer, publicKey, signingKey, notBefore, notAfter, extensions } = options
  const content = der.sequence(
    der.context(0, der.integer(Buffer.of(2)), true),
    der.integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    distinguishedName(issuer),
    der.sequence(der.time(notBefore), der.time(notAfter)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der.context(3, der.sequence(...extensions), true),
  )
  const certificate = der.sequence(content, ecdsaWithSha256, der.bits(sign('sha256', content, signingKey)))
  const lines = certificate.toString('base64').match(/.{1,64}/g)!
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function distinguishedName(commonName: string): Buffer {
  return der.sequence(der.set(der.sequence(der.objectId('2.5.4.3'), der.text(commonName))))
}

const isAuthority = extension('2.5.29.19', der.sequence(der.yes), 'critical')
const mayOnlySignCertificates = extension('2.5.29.15', der.bits(Buffer.of(0b0000_0100), 2), 'critical')
const isForServers = extension('2.5.29.37', der.sequence(der.objectId('1.3.6.1.5.5.7.3.1')))

/** Subject alternative names. */
function isFor(names: string[]): Buffer {
  const entries = names.map((name) =>
    isIP(name) === 0
      ? der.context(2, Buffer.from(name), false)
      : der.context(7, Buffer.from(ipaddr.parse(name).toByteArray()), false),
  )
  return extension('2.5.29.17', der.sequence(...entries))
}

function extension(id: string, content: Buffer, critical?: 'critical'): Buffer {
  return der.sequence(der.objectId(id), ...(critical ? [der.yes] : []), der.octets(content))
}
