// A process with LiteSVM in it. A line of its input is how many transfers it makes: it signs them first, and prints the
// milliseconds that each took, as JSON.
import { createInterface } from 'node:readline';
import {
  appendTransactionMessageInstruction,
  createTransactionMessage,
  generateKeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';

const svm = new LiteSVM();
const [payer, { address }] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
svm.airdrop(payer.address, lamports(10n ** 13n));
svm.airdrop(address, lamports(10n ** 9n));
console.log(String(svm.getBalance(payer.address)));

let amount = 0n;
/** A signed transfer that no other one is equal to. */
const signed = () => {
  amount += 1n;
  const transfer = getTransferSolInstruction({ source: payer, destination: address, amount });
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => svm.setTransactionMessageLifetimeUsingLatestBlockhash(message),
    (message) => appendTransactionMessageInstruction(transfer, message),
    (message) => signTransactionMessageWithSigners(message),
  );
};

for await (const count of createInterface({ input: process.stdin })) {
  const transfers = [];
  while (transfers.length < Number(count)) transfers.push(await signed());
  const times = transfers.map((transfer) => {
    const begun = performance.now();
    const result = svm.sendTransaction(transfer);
    if (result instanceof FailedTransactionMetadata) throw new Error(result.toString());
    return performance.now() - begun;
  });
  console.log(JSON.stringify(times));
}
