<?php
// Shows what the payload of an offline QR code (standard input) asks for; the SDK configuration, if given, verifies the signature:
//     php qr.php [SDK-CONFIGURATION] < payload.txt         (MTOKEN_CDEF: mtoken.cdef.h, MTOKEN_LIBRARY: the library)
declare(strict_types=1);

$cdef = getenv('MTOKEN_CDEF') ?: trim((string) shell_exec('pkg-config --variable=cdef mtoken'));
$m = FFI::cdef((string) file_get_contents($cdef), getenv('MTOKEN_LIBRARY') ?: 'libmtoken.so.1');

final class QROperation // PHP has no finalizers in an order: the wrapper frees, also when the script ends
{
    public FFI\CData $read;

    public function __construct(private FFI $m, string $payload, ?string $configuration)
    {
        [$options, $read, $error] = [$m->new('mtoken_qr_options'), $m->new('mtoken_qr_operation *'), $m->new('mtoken_error *')];
        $options->struct_size = FFI::sizeof($options);
        if ($configuration) {
            $text = $m->new('char[' . strlen($configuration) . ']'); // an option keeps nothing: $text must live until the call ends
            FFI::memcpy($text, $configuration, strlen($configuration));
            [$options->configuration->data, $options->configuration->length] = [FFI::addr($text[0]), strlen($configuration)];
        }
        if ($m->mtoken_qr_operation_parse($payload, strlen($payload), FFI::addr($options), FFI::addr($read), FFI::addr($error))) {
            $place = $error->byte_offset < 0 ? '' : ", line $error->line, byte $error->byte_offset";
            $said = "{$m->mtoken_error_name($error->code)} (" . FFI::string($error->reason) . ")$place: " . FFI::string($error->message);
            $m->mtoken_error_free($error);
            throw new RuntimeException($said);
        }
        $this->read = $read;
    }

    public function __destruct() { isset($this->read) && $this->m->mtoken_qr_operation_free($this->read); }
}

try {
    $read = ($operation = new QROperation($m, (string) stream_get_contents(STDIN), $argv[1] ?? null))->read;
} catch (RuntimeException $error) {
    exit(fwrite(STDERR, $error->getMessage() . "\n") ? 1 : 2);
}
foreach (['id', 'title', 'message'] as $name) echo "$name: ", FFI::string($read->$name), "\n";
for ($index = 0; $index < $read->signed_fields->field_count; $index++) {
    $f = $read->signed_fields->fields[$index]; // a pointer into $operation, which has to live as long
    echo match ($f->kind) {
        $m->MTOKEN_FIELD_EMPTY => '',
        $m->MTOKEN_FIELD_AMOUNT => 'amount: ' . FFI::string($f->value) . ' ' . FFI::string($f->currency) . "\n",
        $m->MTOKEN_FIELD_ACCOUNT => 'account: ' . FFI::string($f->iban) . ($f->bic === null ? '' : ', ' . FFI::string($f->bic)) . "\n",
        $m->MTOKEN_FIELD_DATE => sprintf("date: %04d-%02d-%02d\n", $f->year, $f->month, $f->day),
        default => 'text: ' . FFI::string($f->text) . "\n",
    };
}
echo 'signature: ', $read->verification === $m->MTOKEN_VERIFIED_VALID ? 'valid' : 'not checked', "\n";
