// A minio-go client that is called as programs/program.py is: the name of a call, its arguments as
// a JSON list; the result is printed as JSON. S3_CLIENT_SETTING names what is not to be default.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/tags"
)

const version = "7.4.1" // of go.mod

var (
	ctx     = context.Background()
	setting = os.Getenv("S3_CLIENT_SETTING")
)

type program struct {
	s3        *minio.Client
	arguments []json.RawMessage
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// argument decodes the one with this number.
func argument[T any](p *program, number int) T {
	var value T
	check(json.Unmarshal(p.arguments[number], &value))
	return value
}

func (p *program) text(number int) string { return argument[string](p, number) }

func putOptions() minio.PutObjectOptions {
	md5 := setting == "md5"
	return minio.PutObjectOptions{SendContentMd5: md5, DisableContentSha256: md5}
}

func (p *program) put(options minio.PutObjectOptions) error {
	_, err := p.s3.FPutObject(ctx, p.text(0), p.text(1), p.text(2), options)
	return err
}

func (p *program) getRange() error {
	options := minio.GetObjectOptions{}
	check(options.SetRange(argument[int64](p, 2), argument[int64](p, 3)))
	object, err := p.s3.GetObject(ctx, p.text(0), p.text(1), options)
	check(err)
	file, err := os.Create(p.text(4))
	check(err)
	defer file.Close()
	_, err = io.Copy(file, object)
	return err
}

func (p *program) list() map[string]int64 {
	found := map[string]int64{}
	for row := range p.s3.ListObjects(ctx, p.text(0), minio.ListObjectsOptions{Recursive: true}) {
		check(row.Err)
		found[row.Key] = row.Size
	}
	return found
}

func (p *program) deleteMany() error {
	names := make(chan minio.ObjectInfo)
	go func() {
		defer close(names)
		for _, key := range argument[[]string](p, 1) {
			names <- minio.ObjectInfo{Key: key}
		}
	}()
	for failed := range p.s3.RemoveObjects(ctx, p.text(0), names, minio.RemoveObjectsOptions{}) {
		return failed.Err
	}
	return nil
}

func (p *program) metadata() map[string]string {
	info, err := p.s3.StatObject(ctx, p.text(0), p.text(1), minio.StatObjectOptions{})
	check(err)
	found := map[string]string{}
	for name, value := range info.UserMetadata {
		found[strings.ToLower(name)] = value
	}
	return found
}

func (p *program) putTags() error {
	set, err := tags.NewTags(argument[map[string]string](p, 2), true)
	check(err)
	return p.s3.PutObjectTagging(ctx, p.text(0), p.text(1), set, minio.PutObjectTaggingOptions{})
}

func (p *program) putNew() bool {
	options := putOptions()
	options.SetMatchETagExcept("*")
	err := p.put(options)
	if minio.ToErrorResponse(err).StatusCode == http.StatusPreconditionFailed {
		return false
	}
	check(err)
	return true
}

// run gives what is printed as the result.
func (p *program) run(call string) (any, error) {
	switch call {
	case "version":
		return version, nil
	case "make_bucket":
		return nil, p.s3.MakeBucket(ctx, p.text(0), minio.MakeBucketOptions{})
	case "list_buckets":
		rows, err := p.s3.ListBuckets(ctx)
		names := []string{}
		for _, row := range rows {
			names = append(names, row.Name)
		}
		return names, err
	case "remove_bucket":
		return nil, p.s3.RemoveBucket(ctx, p.text(0))
	case "put", "put_multipart":
		return nil, p.put(putOptions())
	case "get":
		return nil, p.s3.FGetObject(ctx, p.text(0), p.text(1), p.text(2), minio.GetObjectOptions{})
	case "get_range":
		return nil, p.getRange()
	case "list":
		return p.list(), nil
	case "copy":
		target := minio.CopyDestOptions{Bucket: p.text(0), Object: p.text(2)}
		_, err := p.s3.CopyObject(ctx, target, minio.CopySrcOptions{Bucket: p.text(0), Object: p.text(1)})
		return nil, err
	case "delete_many":
		return nil, p.deleteMany()
	case "put_metadata":
		options := putOptions()
		options.UserMetadata = argument[map[string]string](p, 3)
		return nil, p.put(options)
	case "get_metadata":
		return p.metadata(), nil
	case "put_tags":
		return nil, p.putTags()
	case "get_tags":
		set, err := p.s3.GetObjectTagging(ctx, p.text(0), p.text(1), minio.GetObjectTaggingOptions{})
		check(err)
		return set.ToMap(), nil
	case "put_new":
		return p.putNew(), nil
	case "presign":
		url, err := p.s3.PresignedGetObject(ctx, p.text(0), p.text(1), time.Hour, nil)
		check(err)
		return url.String(), nil
	}
	return nil, fmt.Errorf("no such call: %s", call)
}

func main() {
	p := &program{}
	check(json.Unmarshal([]byte(os.Args[2]), &p.arguments))
	host := strings.TrimPrefix(os.Getenv("AWS_ENDPOINT_URL"), "http://")
	if host == "" {
		host = "127.0.0.1" // where only the version is asked for
	}
	var err error
	p.s3, err = minio.New(host, &minio.Options{
		Creds:           credentials.NewEnvAWS(),
		TrailingHeaders: setting == "trailer",
	})
	check(err)
	result, err := p.run(os.Args[1])
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(result))
}
