import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { openInstallation, operatorName } from './installation.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('[OPS-85] N23: the operator is the user of the system, whatever the environment says', () => {
  const { username } = userInfo();
  vi.stubEnv('USER', 'somebody-else');
  vi.stubEnv('LOGNAME', 'somebody-else');
  vi.stubEnv('SUDO_USER', '');
  expect(operatorName()).toBe(`operator:${username}@${hostname()}`);
  vi.stubEnv('SUDO_USER', 'rosa');
  expect(operatorName()).toBe(`operator:${username} (sudo: rosa)@${hostname()}`);
});

test('[OPS-85] N23: a uid that the system has no name for is written as its number', () => {
  vi.stubEnv('SUDO_USER', '');
  const readUser = () => {
    throw new Error('ENOENT: no entry for this uid');
  };
  expect(operatorName(readUser)).toBe(`operator:uid ${process.getuid?.()}@${hostname()}`);
});

test('[OPS-108] a command trusts the authorities that the file of settings names, as the server does', () => {
  const before = tls.getCACertificates('default');
  const folder = mkdtempSync(join(tmpdir(), 'porchlight-authorities-'));
  const authorities = join(folder, 'ca.pem');
  const settings = join(folder, 'porchlight.env');
  writeFileSync(settings, `PORCHLIGHT_CONFIG=none\nNODE_EXTRA_CA_CERTS=${authorities}\n`);
  vi.stubEnv('NODE_EXTRA_CA_CERTS', undefined);
  try {
    expect(() => openInstallation(settings).env()).toThrow(/ca\.pem cannot be read: /);
    // The system trusts no authority now.
    tls.setDefaultCACertificates([]);
    const [authority = ''] = tls.rootCertificates;
    writeFileSync(authorities, authority);
    openInstallation(settings).env();
    const print = (certificate: string) => new X509Certificate(certificate).fingerprint256;
    expect(tls.getCACertificates('default').map(print)).toEqual([print(authority)]);
  } finally {
    tls.setDefaultCACertificates(before);
    rmSync(folder, { recursive: true });
  }
});
