<?php
// Shows what an offline operation asks for: reads the payload of its QR code from standard input, exactly as scanned.
//
//     php qr.php [SDK-CONFIGURATION] < payload.txt
//
// With the application's SDK configuration it also verifies the server's signature. MTOKEN_CDEF names mtoken.cdef.h if it is not
// where pkg-config says, MTOKEN_LIBRARY the library. (A web server preloads both: see PHP's ffi.preload.)

declare(strict_types=1);

final class TokenError extends RuntimeException
{
    public function __construct(FFI $library, public readonly int $status, FFI\CData $error)
    {
        $place = $error->byte_offset < 0 ? '' : ", line $error->line, byte $error->byte_offset";
        $name = $library->mtoken_error_name($status);
        parent::__construct("$name (" . FFI::string($error->reason) . ")$place: " . FFI::string($error->message));
    }
}

final class QROperation
{
    private FFI\CData $operation;

    public function __construct(private FFI $library, string $payload, ?string $configuration)
    {
        $options = $library->new('mtoken_qr_options');
        $options->struct_size = FFI::sizeof($options);
        if ($configuration !== null) {
            $text = self::bytes($library, $configuration); // must live until the end of this function, like the pointer
            $options->configuration->data = FFI::addr($text[0]);
            $options->configuration->length = strlen($configuration);
        }
        $operation = $library->new('mtoken_qr_operation *');
        $error = $library->new('mtoken_error *');
        $status = $library->mtoken_qr_operation_parse(
            $payload, strlen($payload), FFI::addr($options), FFI::addr($operation), FFI::addr($error)
        );
        if ($status !== $library->MTOKEN_OK) {
            try {
                throw new TokenError($library, $status, $error);
            } finally {
                $library->mtoken_error_free($error);
            }
        }
        $this->operation = $operation;
    }

    public function __destruct()
    {
        if (isset($this->operation)) {
            $this->library->mtoken_qr_operation_free($this->operation);
        }
    }

    public function show(): void
    {
        foreach (['id', 'title', 'message'] as $name) {
            echo "$name: ", FFI::string($this->operation->$name), "\n";
        }
        $fields = $this->operation->signed_fields;
        for ($index = 0; $index < $fields->field_count; $index++) {
            echo $this->text($fields->fields[$index]);
        }
        $isValid = $this->operation->verification === $this->library->MTOKEN_VERIFIED_VALID;
        echo 'signature: ', $isValid ? 'valid' : 'not checked', "\n";
    }

    private function text(FFI\CData $field): string
    {
        return match ($field->kind) {
            $this->library->MTOKEN_FIELD_EMPTY => '',
            $this->library->MTOKEN_FIELD_AMOUNT => 'amount: ' . FFI::string($field->value) . ' ' . FFI::string($field->currency) . "\n",
            $this->library->MTOKEN_FIELD_ACCOUNT =>
                'account: ' . FFI::string($field->iban) . ($field->bic === null ? '' : ', ' . FFI::string($field->bic)) . "\n",
            $this->library->MTOKEN_FIELD_DATE => sprintf("date: %04d-%02d-%02d\n", $field->year, $field->month, $field->day),
            default => 'text: ' . FFI::string($field->text) . "\n",
        };
    }

    private static function bytes(FFI $library, string $text): FFI\CData
    {
        $bytes = $library->new('char[' . strlen($text) + 1 . ']');
        FFI::memcpy($bytes, $text, strlen($text));
        return $bytes;
    }
}

$header = getenv('MTOKEN_CDEF') ?: trim((string) shell_exec('pkg-config --variable=cdef mtoken'));
$library = FFI::cdef((string) file_get_contents($header), getenv('MTOKEN_LIBRARY') ?: 'libmtoken.so.1');
try {
    (new QROperation($library, (string) stream_get_contents(STDIN), $argv[1] ?? null))->show();
} catch (TokenError $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
